// Runs work on a given number of oneTBB threads, more than the machine has where asked for.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace cannonade {

template <class Work>
auto with_threads(int threads, Work work) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute(work);
}

}  // namespace cannonade

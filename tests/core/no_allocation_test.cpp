// The paths that a search walks at every node take no memory from the heap.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <new>

#include "core/board/movegen.h"
#include "core/board/perft.h"
#include "core/board/see.h"
#include "core/game/ending.h"
#include "core/notation/fen.h"

namespace {

// This executable's global allocation, counted.
thread_local std::size_t allocations = 0;

void* allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
// Inlined where the `new` is not, GCC takes them for a mismatch.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace cannonade {
namespace {

std::size_t allocations_of(const std::function<void()>& work) {
  const std::size_t before = allocations;
  work();
  return allocations - before;
}

TEST(NoAllocation, TheCounterCounts) {
  // By way of a pointer that the compiler must not leave out together with the memory.
  EXPECT_EQ(allocations_of([] {
              int* volatile memory = new int;
              delete memory;
            }),
            1U);
}

TEST(NoAllocation, NodesOfATreeAreWalkedWithoutTheHeap) {
  for (const Ruleset& rules : rulesets()) {
    Position position = parse_fen(rules, start_fen(rules.game)).value_or_throw();
    History history(position);
    history.reserve(16);
    std::uint64_t sum = 0;
    EXPECT_EQ(allocations_of([&] {
                sum += perft(position, 3);
                MoveList list;
                generate(position, list);
                for (const Move move : list) {
                  sum += is_legal(position, danger(position), move) ? 1 : 0;
                  sum += see_at_least(position, move, 0) ? 1 : 0;
                  Undo undo;
                  position.make(move, undo);
                  const Danger dangers = danger(position);
                  history.push(position, dangers.in_check, move.is_pass());
                  sum += in_check(position, position.side_to_move()) ? 1 : 0;
                  sum += static_cast<std::uint64_t>(history.repetitions());
                  sum += judge(position, dangers, history) ? 1 : 0;
                  history.pop();
                  position.unmake(move, undo);
                }
              }),
              0U)
        << rules.id;
    EXPECT_GT(sum, 0U);
  }
}

}  // namespace
}  // namespace cannonade

#include "core/search/tt.h"

#include <algorithm>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace cannonade {

void TranspositionTable::resize(std::size_t megabytes) {
  const std::size_t count =
      std::max<std::size_t>(megabytes * (std::size_t{1} << 20) / sizeof(Cluster), 1);
  const std::size_t bytes = count * sizeof(Cluster);
  void* memory = ::operator new(bytes, kLargePage);  // throws before anything has changed
#if defined(__linux__)
  // A wish: without large pages it only is slower. Small tables would waste most of a page.
  if (bytes >= static_cast<std::size_t>(kLargePage)) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  auto* clusters = static_cast<Cluster*>(memory);
  std::uninitialized_value_construct_n(clusters, count);
  clusters_.reset(clusters);
  count_ = count;
  epoch_ = 1;
}

bool TranspositionTable::probe(std::uint64_t key, TtData& data) const {
  const Cluster& c = cluster(key);
  if (c.epoch != epoch_) return false;
  const auto tag = static_cast<std::uint32_t>(key);
  for (const Entry& e : c.entries) {
    if (e.key != tag || (e.flags & 3) == 0) continue;
    data.move = Move::from_raw(e.move);
    data.score = e.score;
    data.eval = e.eval;
    data.depth = e.depth;
    data.bound = static_cast<Bound>(e.flags & 3);
    data.pv = (e.flags & 4) != 0;
    return true;
  }
  return false;
}

void TranspositionTable::store(std::uint64_t key, const TtData& data) {
  Cluster& c = cluster(key);
  if (c.epoch != epoch_) {
    c.entries.fill(Entry{});
    c.epoch = epoch_;
  }
  const auto tag = static_cast<std::uint32_t>(key);
  Entry* place = nullptr;
  int least = 1 << 20;
  for (Entry& e : c.entries) {
    if (e.key == tag && (e.flags & 3) != 0) {
      place = &e;
      break;
    }
    const int age = (generation_ - (e.flags >> 3)) & 31;
    const int worth = (e.flags & 3) == 0 ? -1000 : e.depth - 8 * age;
    if (worth < least) {
      least = worth;
      place = &e;
    }
  }
  const bool same = place->key == tag && (place->flags & 3) != 0;
  if (same && data.bound != Bound::kExact && data.depth + 4 < place->depth &&
      (place->flags >> 3) == generation_) {
    return;
  }
  if (!same || data.move) place->move = data.move.raw();
  place->key = tag;
  place->score = static_cast<std::int16_t>(data.score);
  place->eval = static_cast<std::int16_t>(data.eval);
  place->depth = static_cast<std::uint8_t>(std::clamp(data.depth, 0, 255));
  place->flags = static_cast<std::uint8_t>(static_cast<unsigned>(data.bound) | (data.pv ? 4U : 0U) |
                                           static_cast<unsigned>(generation_) << 3);
}

int TranspositionTable::hashfull() const {
  const std::size_t sample = std::min<std::size_t>(count_, 200);
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    if (clusters_[i].epoch != epoch_) continue;
    for (const Entry& e : clusters_[i].entries) {
      if ((e.flags & 3) != 0 && (e.flags >> 3) == generation_) ++used;
    }
  }
  return static_cast<int>(used * 1000 / (sample * 5));
}

}  // namespace cannonade

// The transposition table: clusters of five entries in one cache line. A cluster carries the epoch
// in which it was last written, so that clearing the table costs nothing and what a search finds
// never depends on an earlier game.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "core/board/types.h"

namespace cannonade {

enum class Bound : std::uint8_t { kNone, kUpper, kLower, kExact };

struct TtData {
  Move move;
  Score score = 0;
  Score eval = 0;
  int depth = 0;
  Bound bound = Bound::kNone;
  bool pv = false;
};

class TranspositionTable {
 public:
  // At least one cluster; throws std::bad_alloc when the memory is not there.
  explicit TranspositionTable(std::size_t megabytes) { resize(megabytes); }

  void resize(std::size_t megabytes);
  // Forgets everything.
  void clear() { ++epoch_; }
  // A new search of the same game: older entries are replaced first.
  void new_search() { generation_ = static_cast<std::uint8_t>((generation_ + 1) & 31); }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&cluster(key)); }
  // False when nothing is known.
  [[nodiscard]] bool probe(std::uint64_t key, TtData& data) const;
  // `score` with mate distances counted from the node.
  void store(std::uint64_t key, const TtData& data);
  // Entries of this search among a sample, in thousandths.
  [[nodiscard]] int hashfull() const;

 private:
  struct Entry {
    std::uint32_t key = 0;
    std::uint16_t move = 0;
    std::int16_t score = 0;
    std::int16_t eval = 0;
    std::uint8_t depth = 0;
    std::uint8_t flags = 0;  // bound (2 bits), pv (1), generation (5)
  };
  struct alignas(64) Cluster {
    std::array<Entry, 5> entries;
    std::uint32_t epoch = 0;
  };
  static_assert(sizeof(Cluster) == 64);

  [[nodiscard]] Cluster& cluster(std::uint64_t key) const {
    __extension__ using Wide = unsigned __int128;
    return clusters_[static_cast<std::size_t>((static_cast<Wide>(key) * count_) >> 64)];
  }

  // Clusters start where a large page of memory does: with small ones every probe would miss the
  // processor's page cache too.
  static constexpr std::align_val_t kLargePage{std::size_t{2} << 20};
  struct Free {
    void operator()(Cluster* clusters) const { ::operator delete(clusters, kLargePage); }
  };
  static_assert(std::is_trivially_destructible_v<Cluster>);

  std::unique_ptr<Cluster[], Free> clusters_;
  std::size_t count_ = 0;
  std::uint32_t epoch_ = 1;
  std::uint8_t generation_ = 0;
};

}  // namespace cannonade

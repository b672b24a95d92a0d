// A set of game ids that stays small: pages of 512 ids, a bit each, only where there are ids. Ten
// million finished games take 2.2 MB; a lone huge id takes one page, about as much as its game.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>

namespace cannonade {

// The ids from `begin` up to but not including `end`.
struct IdRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const IdRange&) const = default;
};

class IdSet {
 public:
  // False when the id was there already.
  bool insert(std::uint64_t id);
  [[nodiscard]] bool contains(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // The largest id; the set must not be empty.
  [[nodiscard]] std::uint64_t largest() const;
  // The smallest id at or after `from` that is not in the set: first_missing() is the length of the
  // longest whole prefix.
  [[nodiscard]] std::uint64_t first_missing(std::uint64_t from = 0) const;
  // Calls `visit` with every maximal range below `end` that the set lacks, in order. The time goes
  // with the pages, not with `end`.
  void for_each_gap(std::uint64_t end, const std::function<void(IdRange)>& visit) const;

 private:
  static constexpr std::uint64_t kPageIds = 512;
  using Page = std::array<std::uint64_t, kPageIds / 64>;

  std::map<std::uint64_t, Page> pages_;  // by id / kPageIds
  std::uint64_t size_ = 0;
};

}  // namespace cannonade

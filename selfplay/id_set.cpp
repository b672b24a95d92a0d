#include "selfplay/id_set.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace cannonade {

bool IdSet::insert(std::uint64_t id) {
  Page& page = pages_.try_emplace(id / kPageIds).first->second;
  std::uint64_t& word = page[id % kPageIds / 64];
  const std::uint64_t bit = std::uint64_t{1} << (id % 64);
  if ((word & bit) != 0) return false;
  word |= bit;
  ++size_;
  return true;
}

bool IdSet::contains(std::uint64_t id) const {
  const auto page = pages_.find(id / kPageIds);
  return page != pages_.end() && (page->second[id % kPageIds / 64] >> (id % 64) & 1) != 0;
}

std::uint64_t IdSet::largest() const {
  assert(!empty());
  const auto& [number, page] = *pages_.rbegin();
  std::size_t word = page.size() - 1;
  while (page[word] == 0) --word;
  return number * kPageIds + word * 64 + static_cast<std::uint64_t>(std::bit_width(page[word])) - 1;
}

std::uint64_t IdSet::first_missing(std::uint64_t from) const {
  for (std::uint64_t id = from;;) {
    const auto page = pages_.find(id / kPageIds);
    if (page == pages_.end()) return id;
    const std::uint64_t absent = ~page->second[id % kPageIds / 64] >> (id % 64);
    if (absent != 0) return id + static_cast<std::uint64_t>(std::countr_zero(absent));
    id = (id / 64 + 1) * 64;
  }
}

void IdSet::for_each_gap(std::uint64_t end, const std::function<void(IdRange)>& visit) const {
  std::uint64_t at = 0;  // everything below is in the set or visited
  for (const auto& [number, page] : pages_) {
    for (std::size_t w = 0; w < page.size(); ++w) {
      std::uint64_t left = page[w];
      const std::uint64_t base = number * kPageIds + w * 64;
      while (left != 0) {
        const int begin = std::countr_zero(left);
        const int length = std::countr_one(left >> begin);
        const std::uint64_t first = base + static_cast<std::uint64_t>(begin);
        if (first >= end) break;
        if (first > at) visit({at, first});
        at = first + static_cast<std::uint64_t>(length);
        if (begin + length >= 64) break;
        left &= ~std::uint64_t{0} << (begin + length);
      }
    }
  }
  if (at < end) visit({at, end});
}

}  // namespace cannonade

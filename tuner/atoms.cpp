#include "tuner/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>

namespace cannonade {
namespace {

constexpr int kNear = 8;
constexpr int kNearWidth = 2 * kNear + 1;
constexpr std::uint16_t kNone = 0;  // a null atom, never the code of a pair

constexpr std::uint32_t far_key(RowCoefficient pair) {
  return std::uint32_t{pair.feature} << 16 | static_cast<std::uint16_t>(pair.value);
}

// Value as signed powers of two, largest first.
template <class Visit>
void for_each_power(RowCoefficient pair, Visit visit) {
  const auto magnitude = static_cast<unsigned>(std::abs(int{pair.value}));
  const int sign = pair.value < 0 ? -1 : 1;
  // -32768 is the one value whose highest power has no positive twin.
  for (unsigned rest = magnitude; rest != 0;) {
    const unsigned power = std::bit_floor(rest);
    rest -= power;
    visit(RowCoefficient{pair.feature, static_cast<std::int16_t>(sign * static_cast<int>(power))});
  }
}

bool by_pair(const RowCoefficient& a, const RowCoefficient& b) {
  return a.feature != b.feature ? a.feature < b.feature : a.value < b.value;
}

// Keeps the most frequent pairs, and enough powers of two to write all others.
std::vector<CountedAtom> shrink(const std::vector<CountedAtom>& counted, std::size_t room) {
  // From the rare end: what is left out must be writable by powers that fit beside what is kept.
  std::map<std::uint32_t, CountedAtom> powers;
  std::size_t kept = counted.size();
  while (kept > 0 && kept + powers.size() > room) {
    --kept;
    for_each_power(counted[kept].atom, [&](RowCoefficient power) {
      CountedAtom& entry = powers[far_key(power)];
      entry.atom = power;
      entry.count += counted[kept].count;
    });
  }
  if (kept + powers.size() > room) {
    throw user_error(fmt::format("{} distinct (feature, coefficient) pairs do not fit {} atoms",
                                 counted.size(), room));
  }
  std::vector<CountedAtom> result(counted.begin(), counted.begin() + static_cast<long>(kept));
  for (CountedAtom& pair : result) {
    if (const auto found = powers.find(far_key(pair.atom)); found != powers.end()) {
      pair.count += found->second.count;
      powers.erase(found);
    }
  }
  for (const auto& [key, power] : powers) result.push_back(power);
  return result;
}

void sort_by_frequency(std::vector<CountedAtom>& counted) {
  std::sort(counted.begin(), counted.end(), [](const CountedAtom& a, const CountedAtom& b) {
    return a.count != b.count ? a.count > b.count : by_pair(a.atom, b.atom);
  });
}

}  // namespace

AtomDictionary::AtomDictionary(std::vector<CountedAtom> counted, std::size_t limit) {
  const std::size_t room = limit - kNullAtoms;
  sort_by_frequency(counted);
  if (counted.size() > room) {
    counted = shrink(counted, room);
    sort_by_frequency(counted);
  }
  std::size_t features = 0;
  atoms_.assign(kNullAtoms, RowCoefficient{});
  for (const CountedAtom& pair : counted) {
    atoms_.push_back(pair.atom);
    features = std::max(features, std::size_t{pair.atom.feature} + 1);
  }
  near_.assign(features * kNearWidth, kNone);
  for (std::size_t code = kNullAtoms; code < atoms_.size(); ++code) {
    const RowCoefficient atom = atoms_[code];
    if (std::abs(int{atom.value}) <= kNear) {
      near_[std::size_t{atom.feature} * kNearWidth + static_cast<std::size_t>(atom.value + kNear)] =
          static_cast<std::uint16_t>(code);
    } else {
      far_[far_key(atom)] = static_cast<std::uint16_t>(code);
    }
  }
}

const std::uint16_t* AtomDictionary::find(RowCoefficient pair) const {
  if (std::abs(int{pair.value}) <= kNear) {
    const std::uint16_t& code = near_[std::size_t{pair.feature} * kNearWidth +
                                      static_cast<std::size_t>(pair.value + kNear)];
    return code == kNone ? nullptr : &code;
  }
  const auto found = far_.find(far_key(pair));
  return found == far_.end() ? nullptr : &found->second;
}

void AtomDictionary::encode(std::span<const RowCoefficient> coefficients,
                            std::vector<std::uint16_t>& out) const {
  for (const RowCoefficient pair : coefficients) {
    if (const std::uint16_t* code = find(pair)) {
      out.push_back(*code);
    } else {
      for_each_power(pair, [&](RowCoefficient power) { out.push_back(*find(power)); });
    }
  }
  // Distinct null atoms, so that adding to them does not wait for itself.
  for (std::uint16_t null = 0; out.size() % kEntryGroup != 0; ++null) out.push_back(null);
}

}  // namespace cannonade

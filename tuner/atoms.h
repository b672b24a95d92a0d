// The dictionary of atoms, (feature, coefficient) pairs, that rows are written in.
//
// What always holds: every pair that was counted can be written, either as one atom or, when there
// are more pairs than 16-bit indices, as a few atoms of the same feature whose coefficients add up
// to it (signed powers of two; the rarest pairs pay).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tuner/dataset.h"

namespace cannonade {

struct CountedAtom {
  RowCoefficient atom;
  std::uint64_t count = 0;
};

class AtomDictionary {
 public:
  // `counted`: distinct pairs with non-zero coefficients; at most `limit` atoms come out, the null
  // atoms among them. Throws a user error if even the powers of two do not fit.
  explicit AtomDictionary(std::vector<CountedAtom> counted, std::size_t limit = kMaxAtoms);

  [[nodiscard]] const std::vector<RowCoefficient>& atoms() const { return atoms_; }

  // The row's entries, padded, appended to `out`. `coefficients` sorted by feature.
  void encode(std::span<const RowCoefficient> coefficients, std::vector<std::uint16_t>& out) const;

 private:
  [[nodiscard]] const std::uint16_t* find(RowCoefficient pair) const;

  std::vector<RowCoefficient> atoms_;
  // Direct table for |coefficient| <= kNear, a hash for the rest; kNone where there is no atom.
  std::vector<std::uint16_t> near_;
  std::unordered_map<std::uint32_t, std::uint16_t> far_;
};

}  // namespace cannonade

// A set of the 90 points in two halves of 45: ranks 1 to 5 in `lo`, ranks 6 to 10 in `hi`. No rank
// straddles the halves, so a rank is one shift and a file two multiplications, and every operation
// is one 64-bit instruction a half.
#pragma once

#include <bit>
#include <cstdint>

#include "core/board/types.h"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace cannonade {

constexpr int kHalf = 45;

struct Bitboard {
  std::uint64_t lo = 0;
  std::uint64_t hi = 0;

  [[nodiscard]] constexpr bool empty() const { return (lo | hi) == 0; }
  constexpr explicit operator bool() const { return (lo | hi) != 0; }
  [[nodiscard]] constexpr int count() const { return std::popcount(lo) + std::popcount(hi); }
  [[nodiscard]] constexpr bool has(Square square) const {
    return ((square < kHalf ? lo >> square : hi >> (square - kHalf)) & 1) != 0;
  }
  constexpr bool operator==(const Bitboard&) const = default;
  constexpr Bitboard& operator|=(Bitboard b) {
    lo |= b.lo;
    hi |= b.hi;
    return *this;
  }
  constexpr Bitboard& operator&=(Bitboard b) {
    lo &= b.lo;
    hi &= b.hi;
    return *this;
  }
  constexpr Bitboard& operator^=(Bitboard b) {
    lo ^= b.lo;
    hi ^= b.hi;
    return *this;
  }
  // The lowest square; the set must not be empty.
  [[nodiscard]] constexpr Square first() const {
    return static_cast<Square>(lo != 0 ? std::countr_zero(lo) : kHalf + std::countr_zero(hi));
  }
  // The lowest square, taken out of the set.
  constexpr Square pop() {
    if (lo != 0) {
      const int bit = std::countr_zero(lo);
      lo &= lo - 1;
      return static_cast<Square>(bit);
    }
    const int bit = std::countr_zero(hi);
    hi &= hi - 1;
    return static_cast<Square>(kHalf + bit);
  }
};

constexpr Bitboard operator|(Bitboard a, Bitboard b) {
  return {a.lo | b.lo, a.hi | b.hi};
}
constexpr Bitboard operator&(Bitboard a, Bitboard b) {
  return {a.lo & b.lo, a.hi & b.hi};
}
constexpr Bitboard operator^(Bitboard a, Bitboard b) {
  return {a.lo ^ b.lo, a.hi ^ b.hi};
}
// Bits beyond the 45 of a half are set too: always and the result with a real set.
constexpr Bitboard operator~(Bitboard a) {
  return {~a.lo, ~a.hi};
}

constexpr std::uint64_t kHalfMask = (std::uint64_t{1} << kHalf) - 1;
constexpr Bitboard kFullBoard{kHalfMask, kHalfMask};

namespace detail {
constexpr auto kSquareBits = [] {
  std::array<Bitboard, kSquares> bits{};
  for (int s = 0; s < kSquares; ++s) {
    bits[static_cast<std::size_t>(s)] = s < kHalf ? Bitboard{std::uint64_t{1} << s, 0}
                                                  : Bitboard{0, std::uint64_t{1} << (s - kHalf)};
  }
  return bits;
}();
}  // namespace detail

constexpr Bitboard square_bit(Square square) {
  return detail::kSquareBits[square];
}

// One rank as nine bits, file a lowest.
constexpr unsigned rank_bits(Bitboard b, int rank) {
  return static_cast<unsigned>(rank < 5 ? b.lo >> (9 * rank) : b.hi >> (9 * (rank - 5))) & 511;
}
constexpr Bitboard rank_set(unsigned bits, int rank) {
  return rank < 5 ? Bitboard{std::uint64_t{bits} << (9 * rank), 0}
                  : Bitboard{0, std::uint64_t{bits} << (9 * (rank - 5))};
}

constexpr std::uint64_t kFileA = 1 | 1ULL << 9 | 1ULL << 18 | 1ULL << 27 | 1ULL << 36;

// One file as ten bits, rank 1 lowest. The multiplication gathers bits 0, 9, 18, 27, 36 into bits
// 32 to 36: bit 9 i times 2^(32 - 8 i) lands on 32 + i, and every other product outside that
// window.
constexpr unsigned file_bits(Bitboard b, int file) {
  constexpr std::uint64_t kGather = 1ULL << 32 | 1ULL << 24 | 1ULL << 16 | 1ULL << 8 | 1;
  const auto low = static_cast<unsigned>((((b.lo >> file) & kFileA) * kGather) >> 32) & 31;
  const auto high = static_cast<unsigned>((((b.hi >> file) & kFileA) * kGather) >> 32) & 31;
  return low | high << 5;
}

namespace detail {
constexpr auto kFileSpread = [] {
  std::array<std::uint64_t, 32> spread{};
  for (unsigned bits = 0; bits < 32; ++bits) {
    for (unsigned i = 0; i < 5; ++i) {
      if ((bits >> i & 1) != 0) spread[bits] |= 1ULL << (9 * i);
    }
  }
  return spread;
}();
}  // namespace detail

constexpr Bitboard file_set(unsigned bits, int file) {
  return {detail::kFileSpread[bits & 31] << file, detail::kFileSpread[bits >> 5] << file};
}

// Every point moved by one; what would leave the board is gone.
constexpr Bitboard shift_right(Bitboard b) {  // toward file i
  return {b.lo << 1 & kHalfMask & ~kFileA, b.hi << 1 & kHalfMask & ~kFileA};
}
constexpr Bitboard shift_left(Bitboard b) {  // toward file a
  constexpr std::uint64_t kFileI = kFileA << (9 - 1);
  return {b.lo >> 1 & ~kFileI, b.hi >> 1 & ~kFileI};
}
constexpr Bitboard shift_up(Bitboard b) {  // toward rank 10
  return {b.lo << 9 & kHalfMask, (b.hi << 9 | b.lo >> (kHalf - 9)) & kHalfMask};
}
constexpr Bitboard shift_down(Bitboard b) {  // toward rank 1
  return {(b.lo >> 9 | b.hi << (kHalf - 9)) & kHalfMask, b.hi >> 9};
}

// A few points of the board that can be read together as one small number, lowest square in bit 0.
struct Gather {
  Bitboard mask;
  int low_count = 0;  // how many of the points lie in the lower half

  constexpr Gather() = default;
  constexpr explicit Gather(Bitboard m) : mask(m), low_count(std::popcount(m.lo)) {}
  [[nodiscard]] unsigned read(Bitboard b) const {
#if defined(__BMI2__)
    return static_cast<unsigned>(_pext_u64(b.lo, mask.lo) | _pext_u64(b.hi, mask.hi) << low_count);
#else
    return read_half(b.lo, mask.lo) | read_half(b.hi, mask.hi) << low_count;
#endif
  }
  // The same without the processor's instruction; a test holds the two against each other.
  [[nodiscard]] static constexpr unsigned read_half(std::uint64_t bits, std::uint64_t from) {
    unsigned result = 0;
    for (unsigned place = 0; from != 0; from &= from - 1, ++place) {
      result |= static_cast<unsigned>((bits >> std::countr_zero(from)) & 1) << place;
    }
    return result;
  }
};

}  // namespace cannonade

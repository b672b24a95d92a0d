// What the evaluation can be told to: a score, a list of coefficients.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "eval/extract.h"
#include "eval/weights.h"

namespace cannonade {

// Weights as the search wants them: both halves in one 64-bit word, summed together; and what a
// piece is worth by where it and the generals stand summed up beforehand.
class PackedWeights {
 public:
  explicit PackedWeights(const Weights& weights);
  [[nodiscard]] std::int64_t operator[](int feature) const {
    return packed_[static_cast<std::size_t>(feature)];
  }
  // Of tell_standing() for the game that the weights are for; the second mover's with a minus.
  [[nodiscard]] std::int64_t standing(Side side, PieceKind kind, Square square, Square own_general,
                                      Square enemy_general) const {
    return standing_[row(side, kind, own_general, enemy_general)][square];
  }
  static int middle(std::int64_t sum) { return static_cast<std::int32_t>(sum); }
  static int end(std::int64_t sum) {
    return static_cast<std::int32_t>((sum + (std::int64_t{1} << 31)) >> 32);
  }

 private:
  static constexpr std::size_t kPalacePoints = 9;
  static std::size_t row(Side side, PieceKind kind, Square own_general, Square enemy_general) {
    const auto aside = static_cast<std::size_t>(file_of(own_general) - 3);
    const std::size_t enemy = kAttacks.palace_index[enemy_general] % kPalacePoints;
    return ((static_cast<std::size_t>(index_of(side)) * kPieceKinds +
             static_cast<std::size_t>(index_of(kind))) *
                3 +
            aside) *
               kPalacePoints +
           enemy;
  }

  std::array<std::int64_t, kFeatureCount> packed_;
  std::vector<std::array<std::int64_t, kSquares>> standing_;
};

class ScoreSink {
 public:
  explicit ScoreSink(const PackedWeights& weights) : weights_(weights) {}
  void add(int feature, int sign, int count) { sum_ += weights_[feature] * (sign * count); }
  template <Game kGame>
  void stand(Side side, PieceKind kind, Square square, Square own_general, Square enemy_general) {
    sum_ += weights_.standing(side, kind, square, own_general, enemy_general);
  }
  [[nodiscard]] ScoreSink part() const { return ScoreSink(weights_); }
  void join(const ScoreSink& part) { sum_ += part.sum_; }
  [[nodiscard]] std::int64_t sum() const { return sum_; }

 private:
  const PackedWeights& weights_;
  std::int64_t sum_ = 0;
};

// Coefficients: the first mover's count less the second's, features with zero left out.
class TraceSink {
 public:
  struct Entry {
    int feature;
    int coefficient;
  };
  TraceSink& part() { return *this; }
  void join(const TraceSink& /*part*/) {}
  void add(int feature, int sign, int count) {
    if (count == 0) return;
    const auto f = static_cast<std::size_t>(feature);
    if (!touched_[f]) {
      touched_[f] = true;
      order_.push_back(feature);
    }
    sums_[f] += sign * count;
  }
  // By feature; the sink is empty afterwards and can be used again.
  void take(std::vector<Entry>& entries) {
    entries.clear();
    std::sort(order_.begin(), order_.end());
    for (const int feature : order_) {
      const auto f = static_cast<std::size_t>(feature);
      if (sums_[f] != 0) entries.push_back({feature, sums_[f]});
      sums_[f] = 0;
      touched_[f] = false;
    }
    order_.clear();
  }

 private:
  std::array<int, kFeatureCount> sums_{};
  std::array<bool, kFeatureCount> touched_{};
  std::vector<int> order_;
};

// The evaluation in centipawns from the side to move's view; never in the range of decided games.
[[nodiscard]] inline Score evaluate(const Position& position, const PackedWeights& weights) {
  ScoreSink sink(weights);
  extract(position, sink);
  const Score score =
      blend(position, PackedWeights::middle(sink.sum()), PackedWeights::end(sink.sum()));
  constexpr Score kLargest = 15000;
  const Score bounded = std::clamp(score, -kLargest, kLargest);
  return position.side_to_move() == Side::kFirst ? bounded : -bounded;
}

}  // namespace cannonade

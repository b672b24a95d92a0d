// The loss of a linear evaluation on a data set, with its derivatives: for row i with score s_i(w)
// in centipawns, prediction q_i = sigmoid(K s_i) and label y_i
//     cross-entropy   -y log q - (1 - y) log(1 - q)          (softplus(K s) - y K s)
//     squared error   (q - y)^2                              (Texel's objective)
//
// What always holds: results are the same bytes for any number of threads. Sums run over chunks of
// fixed size and are added in the chunks' order; the Hessian's entries are each added in the rows'
// order. Work runs in the caller's oneTBB arena.
//
// How it is fast. Rows are sorted by phase, so for a phase the middle and end game weights are one
// vector, and a table gives each atom's contribution: a score is a sum of table entries. The
// gradient is collected by atom, and unfolded to both weights at the end of a phase. The Hessian of
// a phase is a matrix over features only, a third of the work of one over weights.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tuner/dataset.h"
#include "tuner/labels.h"
#include "tuner/loss.h"

namespace cannonade {

enum class LossKind : std::uint8_t { kCrossEntropy, kSquaredError };

// Of the squared error; cross-entropy of a linear score has only one.
enum class Curvature : std::uint8_t {
  kGaussNewton,  // positive semi-definite: what an optimiser wants
  kExact,
};

struct ObjectiveSettings {
  double k = 0.005;  // the sigmoid's scale K, per centipawn
  LossKind loss = LossKind::kCrossEntropy;
  Curvature curvature = Curvature::kGaussNewton;
};

// Some of a data set's rows: those of one part, or all others. Without parts, all rows.
struct RowSubset {
  std::span<const std::uint8_t> part = {};  // of each row; must outlive its users
  std::uint8_t chosen = 0;
  bool inside = true;

  [[nodiscard]] bool has(std::size_t row) const {
    return part.empty() || (part[row] == chosen) == inside;
  }
};

struct RowView;

class Objective : public Loss {
 public:
  // `data` must outlive the objective; `targets` may be shared by several. Throws an internal error
  // if sizes differ or a target is not a number, a user error if K is not positive.
  Objective(const Dataset& data, std::shared_ptr<const Targets> targets, ObjectiveSettings settings,
            RowSubset subset = {});

  [[nodiscard]] Eigen::Index parameters() const override { return data_->features().parameters(); }
  [[nodiscard]] double total_weight() const override { return total_weight_; }
  double evaluate(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const override;
  void hessian(const Eigen::VectorXd& weights, Eigen::MatrixXd& hessian,
               std::size_t stride) const override;

  // One a row, in the subset or not: centipawns, and sigmoid(K * centipawns).
  [[nodiscard]] std::vector<double> scores(const Eigen::VectorXd& weights) const;
  [[nodiscard]] std::vector<double> predictions(const Eigen::VectorXd& weights) const;

  [[nodiscard]] const Dataset& data() const { return *data_; }
  [[nodiscard]] const Targets& targets() const { return *targets_; }
  [[nodiscard]] const RowSubset& subset() const { return subset_; }
  [[nodiscard]] const ObjectiveSettings& settings() const { return settings_; }

 private:
  template <bool kWantGradient>
  double evaluate_chunk(std::size_t chunk, const Eigen::VectorXd& weights, double* gradient) const;
  [[nodiscard]] RowView view() const;

  const Dataset* data_;
  std::shared_ptr<const Targets> targets_;
  ObjectiveSettings settings_;
  RowSubset subset_;
  double total_weight_ = 0;
  std::vector<double> atom_value_;  // the dictionary's coefficients
};

}  // namespace cannonade

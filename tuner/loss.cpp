#include "tuner/loss.h"

#include <utility>

#include "core/base/error.h"

namespace cannonade {

SumLoss::SumLoss(std::vector<std::shared_ptr<const Loss>> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) throw internal_error("a sum of no losses");
  for (const auto& part : parts_) {
    if (part->parameters() != parts_.front()->parameters()) {
      throw internal_error("losses over different parameters cannot be added");
    }
  }
}

Eigen::Index SumLoss::parameters() const {
  return parts_.front()->parameters();
}

double SumLoss::total_weight() const {
  double sum = 0;
  for (const auto& part : parts_) sum += part->total_weight();
  return sum;
}

double SumLoss::evaluate(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const {
  double value = 0;
  Eigen::VectorXd part_gradient;
  if (gradient) gradient->setZero(parameters());
  for (const auto& part : parts_) {
    value += part->evaluate(weights, gradient ? &part_gradient : nullptr);
    if (gradient) *gradient += part_gradient;
  }
  return value;
}

void SumLoss::hessian(const Eigen::VectorXd& weights, Eigen::MatrixXd& hessian,
                      std::size_t stride) const {
  Eigen::MatrixXd part_hessian;
  hessian.setZero(parameters(), parameters());
  for (const auto& part : parts_) {
    part->hessian(weights, part_hessian, stride);
    hessian += part_hessian;
  }
}

}  // namespace cannonade

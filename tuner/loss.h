// What the optimiser minimises, seen from outside: a smooth sum over weighted positions.
//
// Everything is a sum, not a mean: value = sum_i weight_i * loss_i. So the losses of several data
// sets add, and an anchor's strength has the meaning of a Gaussian prior's precision.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

namespace cannonade {

class Loss {
 public:
  virtual ~Loss() = default;

  [[nodiscard]] virtual Eigen::Index parameters() const = 0;
  [[nodiscard]] virtual double total_weight() const = 0;

  // The value at `weights` (parameters() values, centipawns); the gradient too where asked for,
  // resized. One pass over the data.
  virtual double evaluate(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const = 0;

  // The symmetric matrix of second derivatives (both triangles), resized. With stride k > 1 an
  // estimate from every k-th row, scaled to the whole.
  virtual void hessian(const Eigen::VectorXd& weights, Eigen::MatrixXd& hessian,
                       std::size_t stride) const = 0;
};

// The sum of several losses over the same parameters, in their order.
class SumLoss : public Loss {
 public:
  explicit SumLoss(std::vector<std::shared_ptr<const Loss>> parts);

  [[nodiscard]] Eigen::Index parameters() const override;
  [[nodiscard]] double total_weight() const override;
  double evaluate(const Eigen::VectorXd& weights, Eigen::VectorXd* gradient) const override;
  void hessian(const Eigen::VectorXd& weights, Eigen::MatrixXd& hessian,
               std::size_t stride) const override;

 private:
  std::vector<std::shared_ptr<const Loss>> parts_;
};

}  // namespace cannonade

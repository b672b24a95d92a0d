// A factored symmetric positive semi-definite matrix, scaled to unit diagonal first: weights of
// pieces and of squares differ by orders of magnitude in how much the data say.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <variant>

namespace cannonade {

class Factor {
 public:
  // `floor` is added to the scaled diagonal, so that directions without curvature do not move. A
  // parameter with no curvature at all is left out: its solution is zero.
  explicit Factor(const Eigen::MatrixXd& matrix, double floor = 1e-10);

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  [[nodiscard]] Eigen::MatrixXd inverse() const;

  // An estimate, in the 1-norm, of the scaled matrix's condition number.
  [[nodiscard]] double condition() const;

 private:
  Eigen::VectorXd scale_;  // 1 / sqrt(diagonal), 0 where that is 0
  // LDLT up to kSmall parameters; above, LLT, which Eigen does in blocks (at 3000 parameters four
  // times as fast), unless rounding has left the matrix indefinite.
  std::variant<Eigen::LDLT<Eigen::MatrixXd>, Eigen::LLT<Eigen::MatrixXd>> factor_;
};

// Vectors v, one a column, that span where v^T matrix v is below `tolerance` times what the
// diagonal alone would give. Each has one parameter with share 1 that the other columns do not
// have; parameters with no curvature at all are in none. By Cholesky with complete pivoting, which
// reveals the rank (Higham, "Analysis of the Cholesky decomposition of a semi-definite matrix",
// 1990); Eigen's LDLT looks for its pivots on a diagonal that it has not updated, and so does not.
[[nodiscard]] Eigen::MatrixXd null_directions(const Eigen::MatrixXd& matrix, double tolerance);

}  // namespace cannonade

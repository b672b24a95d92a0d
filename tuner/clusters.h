// Sums over game pairs: positions of a game share its outcome, so what is independent is the pair.
//
// What always holds: clusters are in ascending order of their pair; results are the same bytes for
// any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "tuner/objective.h"

namespace cannonade {

// The samples of an objective's rows that weigh something, cluster by cluster.
class Clusters {
 public:
  explicit Clusters(const Objective& objective);

  struct Member {
    std::uint32_t row = 0;
    std::uint32_t sample = 0;
  };

  [[nodiscard]] std::size_t count() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const Member> members(std::size_t cluster) const {
    return {members_.data() + begin_[cluster], members_.data() + begin_[cluster + 1]};
  }

 private:
  std::vector<Member> members_;
  std::vector<std::size_t> begin_;
};

// How much of the data sees each parameter (2n values): an end game weight is not seen at full
// phase, nor a middle game weight at phase 0.
struct Touches {
  std::vector<std::uint64_t> positions;  // rows
  std::vector<std::uint64_t> pairs;      // clusters
};
[[nodiscard]] Touches count_touches(const Objective& objective, const Clusters& clusters);

// sum_c u_c u_c^T over the clusters' gradients u_c = sum_i weight_i d loss_i / d weights, centred
// and times C / (C - 1); 2n x 2n, both triangles.
[[nodiscard]] Eigen::MatrixXd cluster_covariance(const Objective& objective,
                                                 const Clusters& clusters,
                                                 const Eigen::VectorXd& weights);

}  // namespace cannonade

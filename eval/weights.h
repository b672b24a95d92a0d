// Weights by name. A file carries the rule set it is for, the schema of its features and where it
// came from; one that does not fit is refused with what differs.
//
// File format (TOML): a table `[weights]` head with `rules`, `schema`, `revision`; `[provenance]`,
// free strings; and `[features.<group>]` tables of `name = [middle game, end game]` in centipawns.
// Names left out are zero.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "eval/features.h"

namespace cannonade {

struct Weight {
  int middle = 0;
  int end = 0;
  bool operator==(const Weight&) const = default;
};

class Weights {
 public:
  // All zero.
  explicit Weights(std::string rules_id);

  [[nodiscard]] const std::string& rules_id() const { return rules_id_; }
  [[nodiscard]] const Weight& operator[](int feature) const {
    return weights_[static_cast<std::size_t>(feature)];
  }
  void set(int feature, Weight weight) { weights_[static_cast<std::size_t>(feature)] = weight; }
  [[nodiscard]] bool operator==(const Weights& other) const {
    return rules_id_ == other.rules_id_ && weights_ == other.weights_;
  }

  // Where they came from: run, seed, verdicts. Kept in the file, not part of the fingerprint.
  [[nodiscard]] const std::map<std::string, std::string>& provenance() const { return provenance_; }
  void set_provenance(const std::string& key, const std::string& value) {
    provenance_[key] = value;
  }

  // Of the rule set and the numbers alone.
  [[nodiscard]] std::string hash() const;

  [[nodiscard]] std::string to_toml() const;
  // `source` names the text in messages. Weights of another rule set or schema are refused.
  [[nodiscard]] static Expected<Weights> from_toml(const std::string& text,
                                                   const std::string& source, const Ruleset& rules);
  [[nodiscard]] static Expected<Weights> load(const std::filesystem::path& path,
                                              const Ruleset& rules);

 private:
  std::string rules_id_;
  std::vector<Weight> weights_;
  std::map<std::string, std::string> provenance_;
};

// Material only: the piece points of the game, a soldier at 100.
[[nodiscard]] Weights material_weights(const Ruleset& rules);

// The weights compiled in from configs/weights/.
[[nodiscard]] Weights default_weights(const Ruleset& rules);

}  // namespace cannonade

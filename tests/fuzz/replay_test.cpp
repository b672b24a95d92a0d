// Every input of the checked-in corpora through its target, and each of them cut short and with
// bytes changed, so that the ordinary run meets spoilt input too.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "tests/fuzz/targets.h"

namespace cannonade::fuzz {
namespace {

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, EveryInputOfTheCorpusIsTakenOrRefusedQuietly) {
  const Target& target = GetParam();
  const std::filesystem::path corpus =
      std::filesystem::path(CANNONADE_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 3U) << corpus;
  Rng rng(51);
  for (const auto& file : files) {
    SCOPED_TRACE(file);
    const std::string input = read_file(file).value_or_throw();
    target.run(input);
    for (int round = 0; round < 20; ++round) {
      std::string spoilt = input.substr(0, rng.below(input.size() + 1));
      for (int change = 0; change < 3 && !spoilt.empty(); ++change) {
        spoilt[rng.below(spoilt.size())] = static_cast<char>(rng.below(256));
      }
      target.run(spoilt);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace cannonade::fuzz

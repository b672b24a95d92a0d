// Games and places for the tests of whatever stores games.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/store.h"
#include "tests/support/random_record.h"

namespace cannonade {

// A folder of its own that goes with the test.
class TempFolder {
 public:
  TempFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            (std::string("cannonade-") + test->test_suite_name() + "-" + test->name() + "-" +
             std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline RunInfo sample_run(std::uint64_t games = 100) {
  RunInfo run;
  run.command = "generate";
  run.rules = "janggi-kja";
  run.seed = 0xFEDCBA9876543210ULL;
  run.engines = {{"alpha", "00000000000000aa"}, {"beta", "00000000000000bb"}};
  run.settings = "nodes = 1000\nopenings.random_plies = 2\n";
  run.games = games;
  run.revision = "test";
  return run;
}

inline std::vector<GameRecord> all_games(const Store& store) {
  std::vector<GameRecord> games;
  store.for_each([&](const GameRecord& game) { games.push_back(game); });
  return games;
}

// The message of the Error that `work` throws; empty when it throws none.
template <class Work>
std::string error_of(Work&& work, ErrorKind kind = ErrorKind::kUser) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return {};
}

}  // namespace cannonade

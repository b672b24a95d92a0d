#include "tuner/dataset_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/files.h"
#include "core/base/rng.h"
#include "tests/tuner/synthetic.h"

namespace cannonade {
namespace {

class DatasetCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "rows.cache";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string bytes() const { return read_file(path_).value_or_throw(); }
  void put(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }

  std::filesystem::path folder_, path_;
};

Dataset some_rows(int pairs = 30) {
  return simulate({.pairs = pairs}, random_weights(10, 30, 1));
}

TEST_F(DatasetCache, ReadsBackWhatItWrote) {
  const Dataset data = some_rows();
  write_dataset_cache(path_, data);
  const Dataset back = read_dataset_cache(path_).value_or_throw();
  const DatasetColumns& a = data.columns();
  const DatasetColumns& b = back.columns();
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.max_phase, b.max_phase);
  EXPECT_EQ(a.atoms, b.atoms);
  EXPECT_EQ(a.entries, b.entries);
  EXPECT_EQ(a.row_begin, b.row_begin);
  EXPECT_EQ(a.phase_begin, b.phase_begin);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.sample_begin, b.sample_begin);
  EXPECT_EQ(a.samples, b.samples);
}

TEST_F(DatasetCache, FindsEveryFlippedBit) {
  write_dataset_cache(path_, some_rows(2));
  const std::string good = bytes();
  Rng rng(4);
  for (std::size_t at = 0; at < good.size(); at += 1 + rng.below(at < 400 ? 8 : 120)) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << rng.below(8)));
    put(bad);
    const auto read = read_dataset_cache(path_);
    ASSERT_FALSE(read.has_value()) << "byte " << at;
    EXPECT_NE(read.error().find(path_.string()), std::string::npos);
  }
}

TEST_F(DatasetCache, FindsEveryTruncation) {
  write_dataset_cache(path_, some_rows(2));
  const std::string good = bytes();
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 10) {
    put(good.substr(0, size));
    const auto read = read_dataset_cache(path_);
    ASSERT_FALSE(read.has_value()) << size;
    EXPECT_NE(read.error().find("truncated"), std::string::npos) << read.error();
  }
  put(good + "x");
  EXPECT_NE(read_dataset_cache(path_).error().find("something follows its end"), std::string::npos);
}

TEST_F(DatasetCache, NamesTheDamagedPlace) {
  write_dataset_cache(path_, some_rows(800));  // 2 MB
  std::string bad = bytes();
  ASSERT_GT(bad.size(), std::size_t{3} << 19);
  bad[bad.size() - 10] = static_cast<char>(bad[bad.size() - 10] + 1);
  put(bad);
  const std::string error = read_dataset_cache(path_).error();
  EXPECT_NE(error.find("damaged in the 1 MiB after byte"), std::string::npos) << error;
  EXPECT_EQ(error.find("after byte 1 "), std::string::npos);
}

// A header that claims more than there is must be refused before memory is taken for it.
TEST_F(DatasetCache, BoundsSizesBeforeMemoryIsTaken) {
  write_dataset_cache(path_, some_rows(2));
  const std::string good = bytes();
  for (std::size_t field = 16; field < 72; field += 8) {
    for (const std::uint64_t claim : {UINT64_MAX, UINT64_MAX / 2 + 1, std::uint64_t{1} << 61}) {
      std::string bad = good;
      std::memcpy(bad.data() + field, &claim, sizeof claim);
      put(bad);
      EXPECT_FALSE(read_dataset_cache(path_).has_value());
    }
  }
}

TEST_F(DatasetCache, RefusesOtherFilesAndVersions) {
  EXPECT_FALSE(read_dataset_cache(folder_ / "absent").has_value());
  put("");
  EXPECT_FALSE(read_dataset_cache(path_).has_value());
  put(std::string(500, 'x'));
  EXPECT_NE(read_dataset_cache(path_).error().find("not a row cache"), std::string::npos);
  write_dataset_cache(path_, some_rows(2));
  std::string other = bytes();
  other[8] = static_cast<char>(kDatasetCacheVersion + 1);
  put(other);
  EXPECT_NE(read_dataset_cache(path_).error().find("version"), std::string::npos);
}

TEST_F(DatasetCache, RefusesFilesOverTheGivenSize) {
  write_dataset_cache(path_, some_rows(2));
  EXPECT_FALSE(read_dataset_cache(path_, 1000).has_value());
}

TEST_F(DatasetCache, KeepsAnEmptyDataSet) {
  write_dataset_cache(path_, DatasetBuilder(some_features(3), 24, "").finish());
  EXPECT_EQ(read_dataset_cache(path_).value_or_throw().rows(), 0U);
}

}  // namespace
}  // namespace cannonade

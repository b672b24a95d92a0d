#include "core/base/files.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace cannonade {
namespace {

TEST(Files, AWrittenFileReadsBackAndNoTemporaryIsLeft) {
  const auto folder = std::filesystem::temp_directory_path() / "cannonade-files-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "a", "one\n");
  write_file_atomically(folder / "a", "two\n");
  EXPECT_EQ(*read_file(folder / "a"), "two\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(Files, AFileOverTheBoundIsRefused) {
  const auto path = std::filesystem::temp_directory_path() / "cannonade-large-test";
  write_file_atomically(path, std::string(1000, 'x'));
  EXPECT_FALSE(read_file(path, 999).has_value());
  EXPECT_TRUE(read_file(path, 1000).has_value());
  std::filesystem::remove(path);
}

// By its size alone, which a file without blocks can say as well; a device has none to say.
TEST(Files, AFileOverTheBoundIsNotReadFirst) {
  const auto path = std::filesystem::temp_directory_path() / "cannonade-sparse-test";
  write_file_atomically(path, "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(read_file(path, std::size_t{1} << 39).error().find("larger"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  std::filesystem::remove(path);
  EXPECT_NE(read_file("/dev/zero", 1 << 20).error().find("larger"), std::string::npos);
}

TEST(Files, AMissingFileAFolderAndAnUnwritablePlaceAreNamed) {
  EXPECT_NE(read_file("/nonexistent/x").error().find("/nonexistent/x"), std::string::npos);
  EXPECT_NE(read_file("/").error().find("folder"), std::string::npos);
  try {
    write_file_atomically("/nonexistent/x", "y");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUser) << error.what();
  }
}

// FNV-1a's published test vectors (draft-eastlake-fnv).
TEST(Files, FingerprintMatchesPublishedVectors) {
  EXPECT_EQ(fingerprint(""), 0xCBF29CE484222325ULL);
  EXPECT_EQ(fingerprint("a"), 0xAF63DC4C8601EC8CULL);
  EXPECT_EQ(fingerprint("foobar"), 0x85944171F73967E8ULL);
}

}  // namespace
}  // namespace cannonade

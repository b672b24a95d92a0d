#include "core/base/files.h"

#include <gtest/gtest.h>

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

TEST(Files, AMissingFileAFolderAndAnUnwritablePlaceAreNamed) {
  EXPECT_NE(read_file("/nonexistent/x").error().find("/nonexistent/x"), std::string::npos);
  EXPECT_NE(read_file("/").error().find("folder"), std::string::npos);
  EXPECT_THROW(write_file_atomically("/nonexistent/x", "y"), Error);
}

// FNV-1a's published test vectors (draft-eastlake-fnv).
TEST(Files, FingerprintMatchesPublishedVectors) {
  EXPECT_EQ(fingerprint(""), 0xCBF29CE484222325ULL);
  EXPECT_EQ(fingerprint("a"), 0xAF63DC4C8601EC8CULL);
  EXPECT_EQ(fingerprint("foobar"), 0x85944171F73967E8ULL);
}

}  // namespace
}  // namespace cannonade

// Files as they are read whole.
#include "mctensor/base/input_file.hpp"

#include "tests/files.hpp"
#include "tests/memory_limit.hpp"

namespace mct {
namespace {

using namespace testing;

class InputFileTest : public FileTest {};

TEST_F(InputFileTest, ContentIsAllOfIt) {
  const fs::path path = directory_ / "file";
  std::ofstream(path) << std::string("a\0b\n", 4);
  EXPECT_EQ(InputFile(path).content(), std::string("a\0b\n", 4));
  std::ofstream(directory_ / "empty").close();
  EXPECT_EQ(InputFile(directory_ / "empty").content(), "");
}

TEST_F(InputFileTest, WhatTheMemoryDoesNotHoldIsNamed) {
  if (!can_limit_memory()) GTEST_SKIP() << "memory cannot be limited here";
  const fs::path path = directory_ / "file";
  std::ofstream(path).close();
  fs::resize_file(path, std::uintmax_t(1) << 32);  // a hole
  const InputFile file(path);
  const MemoryLimit limit(std::size_t(1) << 28);
  const std::string message = message_of<MemoryError>([&] { file.content(); });
  EXPECT_TRUE(contains(message, path.string())) << message;
  EXPECT_TRUE(contains(message, "4294967296 bytes")) << message;
}

}  // namespace
}  // namespace mct

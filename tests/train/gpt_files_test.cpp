// The files of a GPT run: descriptions that are none.
#include "apps/mct/train/gpt_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "mctensor/error.hpp"
#include "tests/files.hpp"

namespace mct::cli::train {
namespace {

TEST(GptFiles, ADescriptionNestedDeeperThanTheStackIsRefused) {
  const testing::TemporaryDirectory directory;
  constexpr std::size_t depth = 1'000'000;
  std::ofstream(directory / "run.json")
      << R"({"steps":)" << std::string(depth, '[') << std::string(depth, ']') << '}';
  const std::string message = testing::message_of<IoError>([&] {
    open_run(directory.path(), {{"steps", 500}}, true);
  });
  EXPECT_TRUE(testing::contains(message, "nested more than 64 deep")) << message;
}

TEST(GptFiles, ARunHasItsDirectoryForItself) {
  const testing::TemporaryDirectory directory;
  const auto open = [&] { open_run(directory.path(), {{"steps", 500}}, true); };
  {
    const DirectoryLock lock = open_run(directory.path(), {{"steps", 500}}, false);
    const std::string message = testing::message_of<DomainError>(open);
    EXPECT_TRUE(testing::contains(message, "another process is at work")) << message;
  }
  open();
}

}  // namespace
}  // namespace mct::cli::train

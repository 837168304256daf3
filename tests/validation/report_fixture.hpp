// What the tests of the report's writers share.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "mctensor/error.hpp"

namespace mct::testing {

namespace fs = std::filesystem;

/// A directory of its own for each test.
class ReportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::temp_directory_path() /
                 ("mctensor_report_" + std::to_string(::getpid()) + '_' + test->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  static std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files_here() const {
    return std::size_t(std::distance(fs::directory_iterator(directory_), {}));
  }

  fs::path directory_;
};

/// The message of the IoError that `call` must throw.
template <class Call>
std::string io_error_of(Call call) {
  try {
    call();
  } catch (const IoError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no IoError";
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace mct::testing

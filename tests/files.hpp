// What tests of files share: a directory that goes away, whole contents, a full disk.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"

namespace mct::testing {

namespace fs = std::filesystem;

/// A directory of its own, also where several processes run the same test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "mctensor_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// A test with a directory.
class FileTest : public ::testing::Test {
 protected:
  std::size_t files_here() const {
    return std::size_t(std::distance(fs::directory_iterator(directory_), {}));
  }

 private:
  TemporaryDirectory own_;

 protected:
  fs::path directory_ = own_.path();
};

inline std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The message of the IoError that `call` must throw.
template <class Call>
std::string io_error_of(const Call& call) {
  std::string message = message_of<IoError>(call);
  EXPECT_NE(message, "") << "no IoError";
  return message;
}

/// A full disk, for this process: while it lives, files may not grow beyond 4 KiB.
class FileSizeLimit {
 public:
  FileSizeLimit() {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &old_), 0);
    rlimit limit = old_;
    limit.rlim_cur = 4096;
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*old_handler_)(int) = SIG_DFL;
};

}  // namespace mct::testing

// What tests of files share: whole contents, a full disk.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::testing {

namespace fs = std::filesystem;

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

/// The same of a file that must be there.
inline std::string bytes_of(const fs::path& path) {
  EXPECT_TRUE(std::ifstream(path, std::ios::binary)) << path;
  return content_of(path);
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

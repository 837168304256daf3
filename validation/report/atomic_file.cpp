// Writes a whole file or nothing.
#include "validation/report/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "mctensor/error.hpp"

namespace mct::validation {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* action, int error) {
  throw IoError(fmt::format("cannot {} '{}': {}", action, path.string(), std::strerror(error)));
}

fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  fs::path name = target;
  name.replace_filename(
      fmt::format(".{}.{}-{}.tmp", target.filename().string(), ::getpid(), counter++));
  return name;
}

/// An open file; closed, and if it is still temporary removed, at the end of its life.
class OutputFile {
 public:
  OutputFile(const fs::path& target, fs::path path, int flags)
      : target_(target), path_(std::move(path)), temporary_((flags & O_EXCL) != 0) {
    descriptor_ = ::open(path_.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
    // a run that was killed may have left a file of this name
    for (int tries = 0; descriptor_ < 0 && errno == EEXIST && tries < 100; ++tries) {
      path_ = temporary_name(target_);
      descriptor_ = ::open(path_.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
    }
    if (descriptor_ < 0) {
      temporary_ = false;  // not ours to remove
      fail(target_, "write", errno);
    }
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (temporary_) ::unlink(path_.c_str());
  }

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0) {
        if (errno == EINTR) continue;
        fail(target_, "write", errno);
      }
      content.remove_prefix(std::size_t(written));
    }
  }

  /// The data must be on the disk before the name points to it.
  void sync() {
    if (::fsync(descriptor_) != 0) fail(target_, "write", errno);
  }

  void close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (::close(descriptor) != 0) fail(target_, "write", errno);
  }

  void rename_to_target() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, "replace", errno);
    temporary_ = false;
  }

 private:
  const fs::path& target_;
  fs::path path_;
  bool temporary_;
  int descriptor_ = -1;
};

/// The file that is to be replaced, or nothing if the path is to be written as it is (a device, a
/// pipe). A symbolic link stays one: the file that it names is replaced, or made.
std::optional<fs::path> replaced_file(const fs::path& path) {
  if (path.empty()) throw IoError("cannot write '': the file name is empty");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail(path, "write", EISDIR);
  // what /dev/stdout names may be a regular file, and others hold it open
  if (path.native().starts_with("/dev/") || path.native().starts_with("/proc/")) return {};
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::weakly_canonical(path.parent_path() / fs::read_symlink(path), error);
  if (error) fail(path, "write", error.value());
  return target;
}

}  // namespace

void check_writable(const fs::path& path) {
  const auto target = replaced_file(path);
  if (target) OutputFile file(*target, temporary_name(*target), O_CREAT | O_EXCL);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  const auto target = replaced_file(path);
  if (!target) {
    OutputFile file(path, path, 0);
    file.write(content);
    file.close();
    return;
  }
  OutputFile file(*target, temporary_name(*target), O_CREAT | O_EXCL);
  file.write(content);
  file.sync();
  file.close();
  file.rename_to_target();
}

}  // namespace mct::validation

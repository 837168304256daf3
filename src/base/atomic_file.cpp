// Writes a whole file or nothing.
#include "mctensor/base/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "mctensor/error.hpp"

namespace mct {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& action, int error) {
  throw IoError("cannot " + action + " '" + path.string() + "': " + std::strerror(error));
}

fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  fs::path name = target;
  name.replace_filename("." + target.filename().string() + "." + std::to_string(::getpid()) + "-" +
                        std::to_string(counter++) + ".tmp");
  return name;
}

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

AtomicFile::AtomicFile(const fs::path& path) {
  const auto replaced = replaced_file(path);
  target_ = replaced.value_or(path);
  temporary_ = replaced.has_value();
  written_ = temporary_ ? temporary_name(target_) : target_;
  const int flags = O_WRONLY | O_CLOEXEC | (temporary_ ? O_CREAT | O_EXCL : 0);
  descriptor_ = ::open(written_.c_str(), flags, 0666);
  // a run that was killed may have left a file of this name
  for (int tries = 0; descriptor_ < 0 && errno == EEXIST && tries < 100; ++tries) {
    written_ = temporary_name(target_);
    descriptor_ = ::open(written_.c_str(), flags, 0666);
  }
  if (descriptor_ < 0) fail(target_, "write", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_) ::unlink(written_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  const char* rest = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, rest, bytes);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(target_, "write", errno);
    }
    rest += written;
    bytes -= std::size_t(written);
  }
}

void AtomicFile::commit() {
  // the data must be on the disk before the name points to it
  if (temporary_ && ::fsync(descriptor_) != 0) fail(target_, "write", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(target_, "write", errno);
  if (!temporary_) return;
  if (::rename(written_.c_str(), target_.c_str()) != 0) fail(target_, "replace", errno);
  temporary_ = false;
}

void check_writable(const fs::path& path) {
  // a pipe is not opened: that could wait for a reader
  if (replaced_file(path)) AtomicFile file(path);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content.data(), content.size());
  file.commit();
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw IoError("cannot create the directory '" + directory.string() + "': " + error.message());
}

}  // namespace mct

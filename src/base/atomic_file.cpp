#include "mctensor/base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "mctensor/error.hpp"

namespace mct {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& action, int error) {
  throw IoError("cannot " + action + " '" + path.string() + "': " + std::strerror(error));
}

/// The beginning of a temporary file's name. With the suffix it is not longer than a name may be.
std::string temporary_stem(const fs::path& target, std::size_t suffix_length) {
  constexpr std::size_t longest_name = 255;
  std::string name = "." + target.filename().string();
  if (name.size() + suffix_length > longest_name) {
    std::size_t kept = longest_name - suffix_length;
    // not in the middle of a character of UTF-8
    while (kept > 1 && (static_cast<unsigned char>(name[kept]) & 0xC0) == 0x80) --kept;
    name.resize(kept);
  }
  return name;
}

constexpr std::string_view temporary_end = ".tmp";

/// A name in the directory of the target.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  std::string suffix = "." + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  suffix += temporary_end;
  fs::path temporary = target;
  temporary.replace_filename(temporary_stem(target, suffix.size()) + suffix);
  return temporary;
}

/// True for the names that temporary_name gives, in this process or another.
bool is_temporary_name(const std::string& name, const fs::path& target) {
  if (!name.ends_with(temporary_end)) return false;
  const std::size_t end = name.size() - temporary_end.size();
  const auto digits_before = [&](std::size_t at) {
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
    return at;
  };
  const std::size_t counter = digits_before(end);
  if (counter == end || counter == 0 || name[counter - 1] != '-') return false;
  const std::size_t process = digits_before(counter - 1);
  if (process == counter - 1 || process == 0 || name[process - 1] != '.') return false;
  const std::size_t stem = process - 1;
  return name.compare(0, stem, temporary_stem(target, name.size() - stem)) == 0;
}

/// Marks a new temporary file as one that is being written, as long as it is open. False if another
/// process has taken it for abandoned in between.
bool claim(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

/// Removes a temporary file, unless a process is writing it or this cannot be known.
void remove_if_abandoned(const fs::path& name) {
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(name.c_str());
  ::close(descriptor);
}

/// The place to which a path is written.
struct Target {
  fs::path path;          // where symbolic links lead
  bool replaced = false;  // a regular file, there or to be made; else written as it is
  int descriptor = -1;    // of this process, if the path is a name of it
};

/// The number N of a symbolic link /proc/.../fd/N, to which /dev/stdout and /dev/fd/N lead as well,
/// of this process; -1 for one of another process, nothing for other links.
std::optional<int> named_descriptor(const fs::path& link) {
  std::error_code error;
  const fs::path directory = fs::canonical(fs::path(link).remove_filename(), error);
  const std::string& text = directory.native();
  if (error || !text.starts_with("/proc/") || directory.filename() != "fd") return {};
  const std::string own = "/proc/" + std::to_string(::getpid()) + "/";
  return text.starts_with(own) ? std::atoi(link.filename().c_str()) : -1;
}

Target resolve(const fs::path& path) {
  if (path.empty()) throw IoError("cannot write '': the file name is empty");
  std::error_code error;
  fs::path at = path;
  // a symbolic link stays one: the file that it names is replaced, or made
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, error)); ++links) {
    if (links == 40) fail(path, "write", ELOOP);
    // other processes hold the file of a descriptor open, and expect it to be written
    if (const auto descriptor = named_descriptor(at)) return {at, false, *descriptor};
    const fs::path next = fs::read_symlink(at, error);
    if (error) fail(path, "write", error.value());
    at = fs::path(at).remove_filename() / next;
  }
  const fs::file_status status = fs::status(at, error);
  if (fs::is_directory(status)) fail(path, "write", EISDIR);
  if (fs::is_block_file(status)) fail(path, "write", ENOTSUP);
  return {at, !fs::exists(status) || fs::is_regular_file(status)};
}

/// Owner and permissions of the file that is replaced, as far as this process may give them.
void copy_permissions(int descriptor, const struct stat& old) {
  const bool kept = ::fchown(descriptor, old.st_uid, old.st_gid) == 0;
  // the set-user-ID bits are not passed on to another owner
  const mode_t mode = old.st_mode & (kept ? 07777U : 0777U);
  if (::fchmod(descriptor, mode) != 0) return;
}

/// A new file that will replace the target, and its name.
int open_temporary(const fs::path& target, fs::path& name) {
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  // no other user may read the file before it has the permissions of the old file
  const mode_t mode = exists ? 0600 : 0666;
  int descriptor = -1;
  // a run that was killed may have left a file of this name
  for (int tries = 0; descriptor < 0 && tries < 100; ++tries) {
    name = temporary_name(target);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, mode);
    if (descriptor < 0 && errno != EEXIST) break;
    if (descriptor >= 0 && !claim(descriptor)) {
      ::close(descriptor);
      descriptor = -1;
      errno = EEXIST;
    }
  }
  if (descriptor >= 0 && exists) copy_permissions(descriptor, old);
  return descriptor;
}

/// Duplicates an open file of this process at its current position, so that everything that was
/// written before stays.
int duplicate(int descriptor) {
  std::fflush(stdout);
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    return -1;
  }
  return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

/// Cuts off the rest of the old content of a regular file that was written through a descriptor.
bool cut_after_end(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return false;
  if (!S_ISREG(status.st_mode) || (::fcntl(descriptor, F_GETFL) & O_APPEND) != 0) return true;
  const off_t end = ::lseek(descriptor, 0, SEEK_CUR);
  return end >= 0 && ::ftruncate(descriptor, end) == 0;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) {
  const Target target = resolve(path);
  target_ = path;
  replaced_ = target.path;
  temporary_ = target.replaced;
  if (target.replaced) {
    descriptor_ = open_temporary(target.path, written_);
  } else if (target.descriptor >= 0) {
    descriptor_ = duplicate(target.descriptor);
  } else {
    descriptor_ = ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC);
  }
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_ = false;  // there is none to remove
    fail(target_, "write", error);
  }
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
  const bool complete = temporary_ ? ::fsync(descriptor_) == 0 : cut_after_end(descriptor_);
  if (!complete) fail(target_, "write", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail(target_, "write", errno);
  if (!temporary_) return;
  if (::rename(written_.c_str(), replaced_.c_str()) != 0) fail(target_, "replace", errno);
  temporary_ = false;
}

void check_writable(const fs::path& path) {
  const Target target = resolve(path);
  // a pipe is not opened: that could wait for a reader
  if (target.replaced || target.descriptor >= 0) AtomicFile file(path);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content.data(), content.size());
  file.commit();
}

void remove_abandoned_files(const fs::path& path) {
  const fs::path target = resolve(path).path;
  const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    if (is_temporary_name(at->path().filename().string(), target)) found.push_back(at->path());
  if (error && error != std::errc::no_such_file_or_directory)
    fail(directory, "read", error.value());
  for (const fs::path& name : found) remove_if_abandoned(name);
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw IoError("cannot create the directory '" + directory.string() + "': " + error.message());
}

}  // namespace mct

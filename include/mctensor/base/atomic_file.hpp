// Writes a whole file, or leaves the old file as it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace mct {

/// The new content of a file, written piece by piece. A reader sees the old file or the new one,
/// never a part, even if the process is killed: the bytes go to a temporary file beside it, which
/// commit() renames. The new file gets the permissions of the old file, and its owner where that is
/// allowed.
///
/// Character devices, pipes and names of open files (/dev/stdout, /dev/fd/N, /proc/self/fd/N) are
/// written directly. An open file of this process is written from its current position, so that
/// `program /dev/stdout > file` adds to what the program has printed. commit() then cuts off the
/// rest of a regular file, unless it was opened for appending.
///
/// Everything throws IoError with the path and the system's reason; the old file is then unchanged.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  /// Removes the temporary file if commit() has not been called or has failed.
  ~AtomicFile();

  void write(const void* data, std::size_t bytes);
  /// Waits until the bytes are on the disk, then gives the file its name. No call may follow.
  void commit();

 private:
  std::filesystem::path target_;    // the path as the caller gave it, for messages
  std::filesystem::path replaced_;  // the path to which symbolic links lead
  std::filesystem::path written_;   // the temporary file
  bool temporary_ = false;
  int descriptor_ = -1;
};

/// Replaces the content of `path` with `content`, as an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Throws IoError if an AtomicFile could not be written at `path`. Call it before long work.
void check_writable(const std::filesystem::path& path);

/// Removes temporary files beside `path` whose processes were killed while they wrote. A living
/// process holds a lock on its file, so its file stays. Nothing is removed where the file system
/// has no locks. Throws IoError if the directory cannot be read.
void remove_abandoned_files(const std::filesystem::path& path);

/// Makes a directory and its parents. Throws IoError if that fails.
void make_directory(const std::filesystem::path& directory);

}  // namespace mct

// Writes a whole file, or leaves the old file as it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace mct {

/// The new content of a file, written piece by piece. A reader finds the old file or the whole new
/// file, even if the process is killed. For this the bytes go to a temporary file in the same
/// directory, and commit() renames it. The new file gets the permissions of the old file. It gets
/// the owner of the old file if the system allows that.
///
/// Character devices, pipes and names of open files (/dev/stdout, /dev/fd/N, /proc/self/fd/N) are
/// written directly. An open file of this process is written from its current position, so that
/// `program /dev/stdout > file` adds to what the program has printed. commit() then cuts off the
/// rest of a regular file, unless it was opened for appending.
///
/// All functions throw IoError with the path and the system's reason. A file that was to be
/// replaced is then unchanged.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  /// Removes the temporary file if commit() has not been called or has failed.
  ~AtomicFile();

  void write(const void* data, std::size_t bytes);
  /// Waits until the bytes are on the disk, then gives the file its name. Call nothing after it.
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

/// Removes temporary files of `path` whose processes were killed while they wrote. A running
/// process holds a lock on its file, so its file stays. If the file system has no locks, the
/// function removes nothing. Throws IoError if the directory cannot be read.
void remove_abandoned_files(const std::filesystem::path& path);

/// Makes a directory and its parents. Throws IoError if that fails.
void make_directory(const std::filesystem::path& directory);

}  // namespace mct

// Writes a whole file or nothing.
#pragma once

#include <filesystem>
#include <string_view>

namespace mct::validation {

/// Replaces the content of `path`. A reader sees the old file or the new one, never a part: the
/// text goes to a temporary file beside it, which is then renamed. A path that is not a regular
/// file (a pipe, /dev/stdout) is written directly. Throws IoError with the path and the system's
/// reason; the old file is then unchanged and no temporary file is left.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Throws IoError if write_file_atomically could not write there: before long work, not after it.
void check_writable(const std::filesystem::path& path);

/// Makes a directory and those around it. Throws IoError if they cannot be made.
void make_directory(const std::filesystem::path& directory);

}  // namespace mct::validation

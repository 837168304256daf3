// Text files that are read as a whole, whatever stands in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace mct::validation {

/// The bytes of a regular file of at most `most_bytes`. Throws IoError with the path and the reason
/// for what cannot be read, is longer, or is no regular file: /dev/zero has no end, and a pipe may
/// never have one.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t most_bytes);

}  // namespace mct::validation

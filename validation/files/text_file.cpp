// Text files that are read as a whole.
#include "validation/files/text_file.hpp"

#include <fmt/format.h>

#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"

namespace mct::validation {

std::string read_text_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
  const InputFile file(path);
  if (file.size() > most_bytes)
    throw IoError(
        fmt::format("{} has {} bytes; at most {} are read", file.name(), file.size(), most_bytes));
  std::string text(std::size_t(file.size()), '\0');
  file.read(0, text.data(), text.size());
  return text;
}

}  // namespace mct::validation

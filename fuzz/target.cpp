// What every fuzz target has: properties, and inputs as files.
#include "fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/temporary_directory.hpp"

namespace mct::fuzz {

void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "this does not hold: %s\n", property);
  std::abort();
}

void SeedWriter::operator()(const char* name, std::string_view text) const {
  std::ofstream(directory / name, std::ios::binary) << text;
}

std::filesystem::path as_file(const char* name, const std::uint8_t* data, std::size_t size) {
  static const testing::TemporaryDirectory directory;
  std::filesystem::path path = directory / name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const auto text = as_text(data, size);
  file.write(text.data(), std::streamsize(text.size()));
  file.close();
  require(file.good(), "the input can be written to a file");
  return path;
}

}  // namespace mct::fuzz

// What every fuzz target has: one input, its files, properties that must hold, seeds.
//
// A target is a file <name>.cpp with the two functions below. libFuzzer calls the first with inputs
// that it makes up; tests call it with those of corpus/<name> (replay.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

/// Reads one input. What a reader must not do ends the program: an exception of another kind than
/// it promises, an error that a sanitizer finds, a property that does not hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace mct::fuzz {

/// Writes the inputs to start from, by the library's own writers, into a directory.
void write_seeds(const std::filesystem::path& directory);

/// Ends the program unless a property holds.
void require(bool holds, const char* property);

/// Writes seeds that are texts.
struct SeedWriter {
  std::filesystem::path directory;
  void operator()(const char* name, std::string_view text) const;
};

/// Writes the input to a file of this name in a directory of this process, for readers of files.
std::filesystem::path as_file(const char* name, const std::uint8_t* data, std::size_t size);

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace mct::fuzz

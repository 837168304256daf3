// Runs a fuzz target without libFuzzer, on files: those of a corpus, or one that made it crash.
//
// usage: fuzz_TARGET FILE|DIRECTORY...
//        fuzz_TARGET --write DIRECTORY     writes the inputs to start from
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) return false;
  // named first: what crashes says no more
  std::printf("%s, %zu bytes\n", path.c_str(), bytes.size());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return true;
}

int run(const std::vector<const char*>& arguments) {
  if (arguments.size() == 2 && std::string_view(arguments[0]) == "--write") {
    fs::create_directories(arguments[1]);
    mct::fuzz::write_seeds(arguments[1]);
    return 0;
  }
  int count = 0;
  for (const char* argument : arguments)
    for (const fs::path& path : files_of(argument)) {
      if (!replay(path)) {
        std::fprintf(stderr, "cannot read '%s'\n", path.c_str());
        return 1;
      }
      ++count;
    }
  std::printf("%d inputs\n", count);
  if (count > 0) return 0;
  std::fputs("no inputs\n", stderr);
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

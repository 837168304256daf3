// Zip archives of numpy's arrays, as .npz files are.
#include "mctensor/base/zip_file.hpp"

#include <string>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/npy.hpp"
#include "tests/archive_bytes.hpp"

namespace mct::fuzz {

void write_seeds(const std::filesystem::path& directory) {
  using namespace testing;  // NOLINT(google-build-using-namespace)
  const SeedWriter write{directory};
  const std::string bytes = npy_of<std::uint8_t>("|u1", "(2, 2)", {0, 1, 2, 255});
  const std::string columns = npy_of<double>(">f8", "(1, 2)", {1, -2}, true);
  write("stored", zip_of({{"x.npy", bytes}, {"y.npy", columns}}));
  write("packed", zip_of({{"x.npy", bytes}, {"y.npy", columns}}, true));
  write("empty", zip_of({}));
  write("no_array", zip_of({{"x.npy", "abc"}}));
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  try {
    const ZipFile archive(fuzz::as_file("arrays.npz", data, size));
    for (const std::string& name : archive.names()) {
      try {
        const auto x = npy_numbers(archive.content(name), name);
        fuzz::require(x.numel() == numel(x.shape()), "an array has the numbers of its shape");
      } catch (const IoError&) {  // the next one may be whole
      }
    }
  } catch (const IoError&) {
    return 0;
  }
  return 0;
}

// Writes a whole file or nothing.
#include "validation/report/atomic_file.hpp"

#include <system_error>

#include "mctensor/error.hpp"
#include "src/tensor/atomic_file.hpp"

namespace mct::validation {

void check_writable(const std::filesystem::path& path) { tensor_detail::check_writable(path); }

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  tensor_detail::AtomicFile file(path);
  file.write(content.data(), content.size());
  file.commit();
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw IoError("cannot create the directory '" + directory.string() + "': " + error.message());
}

}  // namespace mct::validation

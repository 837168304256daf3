// Reads parts of a regular file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace mct {

/// An open file for reading. It stays readable if a new file gets its name.
class InputFile {
 public:
  /// Throws IoError with the path and the reason, also if the path is not a regular file.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// The size in bytes when the file was opened.
  std::uint64_t size() const { return size_; }
  /// The path in quotes, for messages.
  const std::string& name() const { return name_; }

  /// Reads bytes offset ... offset + bytes - 1 into target. Throws IoError if the file does not
  /// have them.
  void read(std::uint64_t offset, void* target, std::size_t bytes) const;

  /// Reads all bytes. Throws IoError if there are more than `most`, and MemoryError if memory is
  /// short.
  std::string content(std::uint64_t most = ~std::uint64_t(0)) const;

 private:
  std::string name_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace mct

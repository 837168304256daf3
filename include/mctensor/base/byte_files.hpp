// Reads and writes files piece by piece. Files are plain or in the format of gzip (RFC 1952).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"

namespace mct {

/// The bytes of a file, one after the other. A file that begins like a gzip file is unpacked,
/// whatever its name is. Throws IoError for a gzip file if the library was built without zlib.
/// Throws IoError for other compressed formats; the message names the format and the command that
/// unpacks it.
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// Reads `bytes` bytes, or fewer at the end of the file. Throws IoError, naming the file, if
  /// compressed data are damaged, are cut off or are followed by other bytes.
  std::size_t read(char* target, std::size_t bytes);

  const InputFile& file() const { return file_; }
  /// How many bytes of the file have been read, counted before they are unpacked.
  std::uint64_t place() const { return place_; }

 private:
  struct Unpacker;

  std::size_t read_file(void* target, std::size_t bytes);
  std::size_t unpack(char* target, std::size_t bytes);

  InputFile file_;
  std::uint64_t place_ = 0;
  std::unique_ptr<Unpacker> unpacker_;  // none: the file is plain
};

/// Writes a new file as AtomicFile does, compressed if its name ends in ".gz". A compressed file
/// holds no name and no time, so the same bytes give the same file.
class ByteSink {
 public:
  /// Throws IoError for a name that ends in ".gz" if the library was built without zlib. Throws
  /// IoError for a name that stands for another compression.
  explicit ByteSink(const std::filesystem::path& path);
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  ~ByteSink();

  /// Adds bytes to the file. They may be few: they are collected in memory before they are written.
  void write(std::string_view bytes);
  /// Completes the file and gives it its name. Call nothing after it.
  void commit();

 private:
  struct Packer;

  void flush();
  void pack(std::string_view bytes, bool last);

  std::string collected_;
  AtomicFile file_;
  std::unique_ptr<Packer> packer_;  // none: the file is plain
};

}  // namespace mct

// Plain files and files in the format of gzip (RFC 1952), read and written piece by piece.
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

  /// Reads `bytes` bytes, or fewer at the end of the file. Throws IoError, naming the file, for
  /// compressed data that are damaged or cut off, or that have other bytes after them.
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
  /// Throws IoError for a name in ".gz" if the library was built without zlib, and for a name that
  /// stands for another compression.
  explicit ByteSink(const std::filesystem::path& path);
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  ~ByteSink();

  /// Pieces may be small: they are collected before the file gets them.
  void write(std::string_view bytes);
  /// Completes the file and gives it its name. No call may follow.
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

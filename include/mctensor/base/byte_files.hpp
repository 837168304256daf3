// Files that may be compressed as by gzip (RFC 1952), read and written piece by piece.
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

/// The bytes of a file, one after the other. A file that begins as gzip's do is unpacked on the
/// way, whatever its name. A library without zlib throws IoError for it, and so does each for files
/// that other programs have compressed, naming the form and the command that makes a text of it.
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& path);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// Reads up to `bytes` bytes, fewer at the end of the file alone. Throws IoError, naming the
  /// file, for compressed data that are damaged or cut off, and for other bytes after them.
  std::size_t read(char* target, std::size_t bytes);

  const InputFile& file() const { return file_; }
  /// How many bytes of the file have been read, compressed ones as they stand there.
  std::uint64_t place() const { return place_; }

 private:
  struct Unpacker;

  std::size_t read_file(void* target, std::size_t bytes);
  std::size_t unpack(char* target, std::size_t bytes);

  InputFile file_;
  std::uint64_t place_ = 0;
  std::unique_ptr<Unpacker> unpacker_;  // none: the file is plain
};

/// A new file as an AtomicFile, compressed if its name ends in ".gz". Compressed files have neither
/// a name nor a time in them: the same bytes give the same file.
class ByteSink {
 public:
  /// Throws IoError for a compressed file if the library is built without zlib, and for a name that
  /// promises another compression.
  explicit ByteSink(const std::filesystem::path& path);
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  ~ByteSink();

  /// Pieces may be small: they are collected before the file gets them.
  void write(std::string_view bytes);
  /// Gives what was written its name. Nothing may follow.
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

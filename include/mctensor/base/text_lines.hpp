// The lines of a text file, and the messages about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/byte_files.hpp"

namespace mct {

/// A text file, plain or compressed, line by line; never more than two lines of it are in memory.
/// Lines end with LF or CR LF. These characters are not part of a line. A byte order mark of UTF-8
/// at the beginning of the file is skipped.
class TextLines {
 public:
  /// The longest allowed line in bytes, with its end. A file with a longer line is not a list.
  static constexpr std::size_t longest_line = std::size_t(1) << 20;

  explicit TextLines(const std::filesystem::path& path);

  /// Reads the next line; returns false at the end of the file. The view is valid until the next
  /// call. Throws IoError, naming file and line, for a NUL byte and for a line that is longer than
  /// longest_line.
  bool next(std::string_view& line);
  /// Reads the words of the next line that has words; returns false at the end of the file. Words
  /// are split at blanks and tabs. The views are valid until the next call.
  bool next_words(std::vector<std::string_view>& words);

  /// The number of the line that next() returned last, counted from 1.
  std::size_t number() const { return number_; }
  /// The path in quotes.
  const std::string& name() const { return source_.file().name(); }
  /// How many bytes of the file have been read, and how many bytes the file has.
  std::uint64_t place() const { return source_.place(); }
  std::uint64_t size() const { return source_.file().size(); }

  /// Throws IoError "FILE, line N: what": N is the line that next() returned last, or the given
  /// number.
  [[noreturn]] void fail(const std::string& what) const { fail(number_, what); }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  void refill();
  std::string_view taken(std::size_t length);

  ByteSource source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;  // the first byte that next() has not returned yet
  std::size_t end_ = 0;
  bool finished_ = false;  // the file has no bytes after end_
  std::size_t number_ = 0;
};

/// At most the first 40 characters in quotes, for a message. Characters that a terminal does not
/// show, such as control characters, become question marks.
std::string shortened(std::string_view text);

/// The parts of a line between separators, without empty parts.
std::vector<std::string_view> words_of(std::string_view line, std::string_view separators);

}  // namespace mct

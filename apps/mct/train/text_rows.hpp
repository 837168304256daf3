// A small text file as rows of words, and the messages about them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

/// The words between blanks and tabs, line by line; lines without any are left out. A line may end
/// with CR LF.
class TextRows {
 public:
  /// Throws IoError.
  explicit TextRows(const std::filesystem::path& path) {
    const InputFile file(path);
    name_ = file.name();
    text_ = file.content();
  }

  /// False at the end. The words are views of this object.
  bool next(std::vector<std::string_view>& words) {
    words.clear();
    while (words.empty() && place_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', place_), text_.size());
      const std::string_view line(text_.data() + place_, end - place_);
      place_ = end + 1;
      ++number_;
      for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t stop = std::min(line.find_first_of(blanks, begin), line.size());
        if (stop > begin) words.push_back(line.substr(begin, stop - begin));
        begin = stop + 1;
      }
    }
    return !words.empty();
  }

  /// The path in quotes.
  const std::string& name() const { return name_; }
  /// Throws IoError "FILE, line N: what" for the line that next() gave last.
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(name_ + ", line " + std::to_string(number_) + ": " + what);
  }
  /// At most 40 characters in quotes, for a message; a question mark for what a terminal might
  /// obey.
  static std::string quoted(std::string_view word) {
    std::string text(word.substr(0, 40));
    for (char& c : text)
      if (c < ' ' || c > '~') c = '?';
    return "'" + text + (word.size() > 40 ? "...'" : "'");
  }

 private:
  static constexpr std::string_view blanks = " \t\r";
  std::string name_, text_;
  std::size_t place_ = 0, number_ = 0;
};

}  // namespace mct::cli::train

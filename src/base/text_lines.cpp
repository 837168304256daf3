#include "mctensor/base/text_lines.hpp"

#include <algorithm>
#include <cstring>

#include "mctensor/base/markup.hpp"
#include "mctensor/error.hpp"

namespace mct {
namespace {

constexpr std::size_t read_at_once = std::size_t(1) << 18;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

TextLines::TextLines(const std::filesystem::path& path)
    : source_(path), buffer_(new char[longest_line + read_at_once]) {}

bool TextLines::next(std::string_view& line) {
  for (std::size_t searched = 0;;) {
    const char* const from = buffer_.get() + begin_;
    const std::size_t here = end_ - begin_;
    const void* const feed = std::memchr(from + searched, '\n', here - searched);
    if (feed != nullptr || (finished_ && here > 0)) {
      const std::size_t length =
          feed == nullptr ? here : std::size_t(static_cast<const char*>(feed) - from) + 1;
      line = taken(length);
      return true;
    }
    if (finished_) return false;
    if (here > longest_line) taken(here);  // throws
    searched = here;
    refill();
  }
}

bool TextLines::next_words(std::vector<std::string_view>& words) {
  words.clear();
  for (std::string_view line; words.empty() && next(line);) words = words_of(line, " \t");
  return !words.empty();
}

void TextLines::refill() {
  // at most longest_line bytes are left, so that there is room
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t more = source_.read(buffer_.get() + end_, read_at_once);
  finished_ = more < read_at_once;
  end_ += more;
}

/// The next line, which has so many bytes, without its line ending.
std::string_view TextLines::taken(std::size_t length) {
  ++number_;
  if (length > longest_line)
    fail("it is longer than " + std::to_string(longest_line) + " bytes, the longest that is read");
  std::string_view line(buffer_.get() + begin_, length);
  begin_ += length;
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (number_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (const auto nul = line.find('\0'); nul != line.npos)
    fail("a NUL byte after " + shortened(line.substr(0, nul)) +
         "; a text in UTF-16 must be converted to UTF-8");
  return line;
}

void TextLines::fail(std::size_t line, const std::string& what) const {
  throw IoError(name() + ", line " + std::to_string(line) + ": " + what);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t shown = 40;
  std::string start;
  for (std::string_view rest = text.substr(0, shown); !rest.empty();) {
    const std::size_t length = utf8_length(rest);  // 0: no character
    const auto first = static_cast<unsigned char>(rest[0]);
    const bool is_obeyed =
        first < 0x20 || first == 0x7f ||
        (length == 2 && first == 0xc2 && static_cast<unsigned char>(rest[1]) < 0xa0);
    const std::string_view character = rest.substr(0, std::max<std::size_t>(length, 1));
    start += length == 0 || is_obeyed ? std::string_view("?") : character;
    rest.remove_prefix(character.size());
  }
  return "'" + start + (text.size() > shown ? "...'" : "'");
}

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    at = line.find_first_not_of(separators, at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
}

}  // namespace mct

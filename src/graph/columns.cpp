#include "src/graph/columns.hpp"

#include <algorithm>

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

constexpr std::string_view blanks = " \t";

/// The character of a separator that is one.
constexpr char character_of(Separator separator) {
  switch (separator) {
    case Separator::tab:
      return '\t';
    case Separator::semicolon:
      return ';';
    case Separator::bar:
      return '|';
    default:
      return ',';
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view name_of(Separator separator) {
  constexpr std::string_view names[] = {"automatic",  "tabs", "commas",
                                        "semicolons", "bars", "blanks"};
  return names[std::size_t(separator)];
}

void Columns::add(std::string_view column) {
  if (count_ < most) columns_[count_] = column;
  ++count_;
}

/// The column whose first quote stands at line[at]; at is moved after it.
std::string_view Columns::quoted(std::string_view line, std::size_t& at) {
  const std::size_t begin = at + 1;
  std::string* copy = nullptr;
  for (std::size_t from = begin;;) {
    const std::size_t quote = line.find('"', from);
    if (quote == std::string_view::npos) throw DomainError("a quote does not end in its line");
    const bool ends = quote + 1 == line.size() || line[quote + 1] != '"';
    if (copy == nullptr && !ends) {
      copy = &unquoted_[std::min(count_, most - 1)];
      copy->clear();
    }
    if (copy != nullptr) copy->append(line, from, quote - from + (ends ? 0 : 1));
    from = quote + 2;
    if (!ends) continue;
    at = quote + 1;
    return copy != nullptr ? std::string_view(*copy) : line.substr(begin, quote - begin);
  }
}

std::size_t Columns::cut_at_blanks(std::string_view line) {
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) < line.size();) {
    if (quotes_ && line[at] == '"') {
      add(quoted(line, at));
      if (at < line.size() && blanks.find(line[at]) == std::string_view::npos)
        throw DomainError("characters between a quote and the next separator");
    } else {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      add(line.substr(at, end - at));
      at = end;
    }
  }
  return count_;
}

std::size_t Columns::cut(std::string_view line) {
  count_ = 0;
  if (separator_ == Separator::blank) return cut_at_blanks(line);
  if (separator_ == Separator::bar) {
    line = trimmed(line);
    if (line.ends_with('|')) line.remove_suffix(1);
  }
  const char separator = character_of(separator_);
  // where a tab separates it is not skipped
  const std::string_view skipped = separator == '\t' ? " " : blanks;
  for (std::size_t at = 0;; ++at) {
    const std::size_t start = std::min(line.find_first_not_of(skipped, at), line.size());
    if (quotes_ && start < line.size() && line[start] == '"') {
      at = start;
      add(quoted(line, at));
      at = std::min(line.find_first_not_of(skipped, at), line.size());
      if (at < line.size() && line[at] != separator)
        throw DomainError("characters between a quote and the next separator");
    } else {
      const std::size_t end = std::min(line.find(separator, at), line.size());
      add(trimmed(line.substr(at, end - at)));
      at = end;
    }
    if (at == line.size()) return count_;
  }
}

}  // namespace mct::embed

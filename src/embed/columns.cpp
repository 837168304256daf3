// The columns of a line of an edge list.
#include "src/embed/columns.hpp"

#include <algorithm>

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

constexpr std::string_view blanks = " \t";

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

void Columns::add(std::string_view column) {
  if (count_ < most) columns_[count_] = column;
  ++count_;
}

/// The column whose first quote stands at line[at]; at is moved behind it, to the separator.
std::string_view Columns::quoted(std::string_view line, std::size_t& at) {
  const std::size_t begin = at + 1;
  std::string* copy = nullptr;
  for (std::size_t from = begin;;) {
    const std::size_t quote = line.find('"', from);
    if (quote == std::string_view::npos) throw DomainError("a quote that does not end in its line");
    const bool ends = quote + 1 == line.size() || line[quote + 1] != '"';
    if (copy == nullptr && !ends) {
      copy = &unquoted_[std::min(count_, most - 1)];
      copy->clear();
    }
    if (copy != nullptr) copy->append(line, from, quote - from + (ends ? 0 : 1));
    from = quote + 2;
    if (!ends) continue;
    at = std::min(line.find_first_not_of(blanks, quote + 1), line.size());
    if (at < line.size() && line[at] != ',')
      throw DomainError("characters between a quote and the next comma");
    return copy != nullptr ? std::string_view(*copy) : line.substr(begin, quote - begin);
  }
}

std::size_t Columns::cut(std::string_view line) {
  count_ = 0;
  if (separator_ == Separator::blank) {
    for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) < line.size();) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      add(line.substr(at, end - at));
      at = end;
    }
    return count_;
  }
  const char separator = separator_ == Separator::tab ? '\t' : ',';
  for (std::size_t at = 0;; ++at) {
    std::size_t start = at;
    if (separator == ',') start = std::min(line.find_first_not_of(blanks, at), line.size());
    if (separator == ',' && start < line.size() && line[start] == '"') {
      at = start;
      add(quoted(line, at));
    } else {
      const std::size_t end = std::min(line.find(separator, at), line.size());
      add(trimmed(line.substr(at, end - at)));
      at = end;
    }
    if (at == line.size()) return count_;
  }
}

}  // namespace mct::embed

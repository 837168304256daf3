// The columns of a line of an edge list.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "mctensor/graph/read_graph.hpp"

namespace mct::embed {

/// Cuts lines into columns. Blanks around a column are no part of it.
class Columns {
 public:
  static constexpr std::size_t most = 3;

  explicit Columns(Separator separator, bool quotes = true)
      : separator_(separator), quotes_(quotes) {}

  /// How many columns the line has. Throws DomainError, with the fault, for quotes that do not fit
  /// together.
  std::size_t cut(std::string_view line);
  /// One of the first three. Valid as long as the line, and until the next cut().
  std::string_view operator[](std::size_t i) const { return columns_[i]; }

 private:
  std::string_view quoted(std::string_view line, std::size_t& at);
  std::size_t cut_at_blanks(std::string_view line);
  void add(std::string_view column);

  Separator separator_;
  bool quotes_;
  std::array<std::string_view, most> columns_;
  std::array<std::string, most> unquoted_;  // columns that had quotes within quotes
  std::size_t count_ = 0;
};

/// Without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace mct::embed

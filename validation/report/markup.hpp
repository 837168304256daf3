// Text for HTML and SVG.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "mctensor/base/markup.hpp"

namespace mct::validation {

/// A bound such as "3 u^2 |x + y| + 0.5 eta" as HTML: superscripts (none for ^1), a
/// Greek eta, true minus signs.
std::string formula_html(std::string_view text);

/// 2 to a power with one decimal, as HTML: "2<sup>−106.0</sup>"; "0" for minus infinity.
std::string power_of_two_html(double log2);

/// The head of a table by the names of its columns, in HTML; '#' in front: a column of numbers.
std::string head_html(std::initializer_list<std::string_view> columns);

/// "add" -> "addition" where the name has a usual word; the name itself otherwise.
std::string operation_words(const std::string& operation);

/// A name made fit for an id attribute: letters, digits, - and _.
std::string identifier(std::string_view text);

}  // namespace mct::validation

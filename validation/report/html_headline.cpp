// The first comparison of the report: this library beside the published algorithms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/report/comparison.hpp"
#include "validation/report/first_seen.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"

namespace mct::validation {
namespace {

/// One published implementation beside ours, over the types of one operation.
struct Pair {
  std::string operation;
  std::string peer;
  int precision = 0;
  std::vector<std::string> types;
  std::vector<int> components;
  std::vector<double> ours, theirs;  // log2
  bool other_inputs = false;
  double widest = 0;  // the largest difference in favour of ours
};

/// The pair of one operation with the widest difference, larger is ours the better: what the text
/// speaks about. Its types are empty if the operation was not compared.
Pair widest_pair(const std::vector<Comparison>& list, const std::string& operation) {
  std::vector<Pair> pairs;
  for (const Comparison& c : list) {
    if (c.operation != operation) continue;
    const ComparedEntry* ours = c.ours();
    if (ours == nullptr || !std::isfinite(ours->worst_log2)) continue;
    for (const ComparedEntry& entry : c.entries) {
      if (entry.ours || !std::isfinite(entry.worst_log2)) continue;
      const auto same = [&](const Pair& p) {
        return p.peer == entry.name && p.precision == c.precision;
      };
      Pair& pair =
          found_or_added(pairs, same, {operation, entry.name, c.precision, {}, {}, {}, {}});
      pair.types.push_back(c.type);
      pair.components.push_back(c.components);
      pair.ours.push_back(ours->worst_log2);
      pair.theirs.push_back(entry.worst_log2);
      pair.other_inputs = pair.other_inputs || ours->other_inputs;
      pair.widest = std::max(pair.widest, entry.worst_log2 - ours->worst_log2);
    }
  }
  Pair best;
  for (const Pair& pair : pairs)
    if (best.types.empty() || pair.widest > best.widest) best = pair;
  return best;
}

/// "a, b and c"
std::string enumeration(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  return out;
}

std::string powers(const std::vector<double>& values) {
  std::vector<std::string> items;
  items.reserve(values.size());
  for (const double value : values) items.push_back(power_of_two_html(value));
  return enumeration(items);
}

/// The gain of one more component, from the data; empty for a single type.
std::string gain_in_words(const Pair& pair) {
  const int steps = pair.components.back() - pair.components.front();
  if (steps <= 0) return "";
  const double gain = (pair.theirs.front() - pair.theirs.back()) / steps;
  if (gain < 0.1 * pair.precision) return "; its further components do not make it more accurate";
  return fmt::format(
      "; each further component adds {:.0f} bits of accuracy on average, of the {} that it holds",
      gain, pair.precision);
}

/// In how many comparisons ours is better, worse, or within a bit.
std::string tally(const std::vector<Comparison>& list) {
  int total = 0, smaller = 0, larger = 0;
  for (const Comparison& c : list) {
    const ComparedEntry* ours = c.ours();
    if (ours == nullptr) continue;
    for (const ComparedEntry& entry : c.entries) {
      if (entry.ours || std::isnan(entry.worst_log2) || std::isnan(ours->worst_log2)) continue;
      ++total;
      // not a difference: both may be infinite
      if (ours->worst_log2 < entry.worst_log2 - 1) ++smaller;
      if (entry.worst_log2 < ours->worst_log2 - 1) ++larger;
    }
  }
  return fmt::format(
      "Over all {} comparisons in the table, the worst relative error of this library is less than "
      "half of the other in {}, more than twice the other in {}, and within a factor of two in {}.",
      total, smaller, larger, total - smaller - larger);
}

std::string sentence_html(const Pair& pair) {
  std::vector<std::string> types;
  for (const std::string& type : pair.types) types.push_back(escaped(type));
  return fmt::format(
      "For {} with {}, the worst relative error of this library is {}. {} <em>{}</em> reaches "
      "{}{}. ",
      escaped(operation_words(pair.operation)), enumeration(types), powers(pair.ours),
      pair.other_inputs ? "On other inputs," : "On the same inputs,", escaped(pair.peer),
      powers(pair.theirs), gain_in_words(pair));
}

std::string text_html(const std::vector<Comparison>& list) {
  std::string out = "<p class=\"lead\">";
  for (const char* operation : {"div", "mul"}) {
    const Pair pair = widest_pair(list, operation);
    if (!pair.types.empty()) out += sentence_html(pair);
  }
  return out + tally(list) + "</p>\n";
}

}  // namespace

std::string headline_html(const Results& results) {
  std::string out = "<section id=\"headline\">\n<h2>Beside the published algorithms</h2>\n";
  const std::vector<Comparison> list = comparisons(results, PeerKind::published);
  if (list.empty())
    return out + "<p>The published algorithms were not measured in this run.</p>\n</section>\n";
  out += text_html(list);
  out +=
      "<p class=\"note\">&#8220;Yu 2024&#8221; (T. Yu: Towards expressive and robust learning with "
      "hyperbolic geometry, Cornell University) has the algorithms of the Python library MCTensor: "
      "here as printed there, and with their mistakes corrected (docs/errata.md). &#8220;MCTensor "
      "C++&#8221; is this library. A higher bar is a smaller error; an outlined bar marks results "
      "without error.</p>\n<div class=\"plots\">\n";
  for (const output::BarChart& chart : comparison_charts(list))
    out += "<figure>" + output::svg_text(chart) + "</figure>\n";
  out += "</div>\n";
  out += comparison_table(list, "Errors of this library and of the published algorithms");
  return out + "</section>\n";
}

}  // namespace mct::validation

#include "validation/report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "output/number_text.hpp"
#include "validation/report/first_seen.hpp"
#include "validation/report/markup.hpp"
#include "validation/report/result_text.hpp"

namespace mct::validation {
namespace {

constexpr const char* library_name = "MCTensor";

bool begins_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

bool is_ours(const PeerResult& peer) { return begins_with(peer.peer, library_name); }

bool belongs(const PeerResult& peer, PeerKind kind) {
  return !is_ours(peer) && begins_with(peer.peer, "Yu 2024") == (kind == PeerKind::published);
}

/// Peers of different precisions ("MPFR 106", "MPFR 159") share a colour; the published algorithms
/// differ in the words after it.
std::string family_of(const std::string& peer) {
  return begins_with(peer, "Yu 2024") ? peer : peer.substr(0, peer.find(' '));
}

ComparedEntry entry_of(const PeerResult& peer) {
  ComparedEntry entry;
  entry.name = peer.peer;
  entry.ours = is_ours(peer);
  entry.family = entry.ours ? library_name : family_of(peer.peer);
  entry.cases = peer.errors.cases;
  entry.max_error = peer.errors.max_error;
  entry.mean_error = peer.errors.mean();
  entry.worst_log2 = peer.worst_relative_log2;
  return entry;
}

/// The largest error in u^N as a relative one.
ComparedEntry entry_of(const OperationResult& operation) {
  ComparedEntry entry;
  entry.name = entry.family = library_name;
  entry.ours = entry.other_inputs = true;
  entry.cases = operation.errors.cases;
  entry.max_error = operation.errors.max_error;
  entry.mean_error = operation.errors.mean();
  entry.worst_log2 =
      std::log2(operation.errors.max_error) - double(operation.components * operation.precision);
  return entry;
}

void add_ours(const Results& results, Comparison& comparison) {
  auto& entries = comparison.entries;
  for (const PeerResult& peer : results.peers) {
    if (is_ours(peer) && peer.operation == comparison.operation && peer.type == comparison.type) {
      entries.insert(entries.begin(), entry_of(peer));
      return;
    }
  }
  for (const OperationResult& operation : results.operations) {
    if (operation.operation == comparison.operation && operation.type == comparison.type &&
        operation.errors.cases > 0) {
      entries.insert(entries.begin(), entry_of(operation));
      return;
    }
  }
}

/// The names of the series of one chart, in the order of their first bar.
void add_to_chart(output::BarChart& chart, const Comparison& comparison) {
  const std::size_t group = chart.groups.size();
  chart.groups.push_back(comparison.type);
  for (const ComparedEntry& entry : comparison.entries) {
    // a second implementation of one family in a group gets a series of its own
    auto series =
        std::find_if(chart.series.begin(), chart.series.end(), [&](const output::BarSeries& s) {
          return (s.name == entry.family || s.name == entry.name) &&
                 (s.values.size() <= group || !s.values[group]);
        });
    if (series == chart.series.end()) {
      const bool taken =
          std::any_of(chart.series.begin(), chart.series.end(),
                      [&](const output::BarSeries& s) { return s.name == entry.family; });
      chart.series.push_back({taken ? entry.name : entry.family, {}, 0});
      series = std::prev(chart.series.end());
    }
    series->values.resize(group + 1);
    series->values[group] = entry.worst_log2;
  }
}

std::string row_html(const Comparison& comparison, const ComparedEntry& entry, bool first) {
  std::string row = entry.ours ? "<tr class=\"ours\">" : "<tr>";
  if (first)
    row += fmt::format(
        "<th scope=\"rowgroup\" rowspan=\"{0}\">{1}</th><td rowspan=\"{0}\">{2}</td>",
        comparison.entries.size(), escaped(comparison.operation), escaped(comparison.type));
  row += fmt::format(
      "<td>{}{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
      "<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
      escaped(entry.name), entry.other_inputs ? "&#8201;*" : "", output::count_text(entry.cases),
      error_text(entry.max_error), error_text(entry.mean_error),
      power_of_two_html(entry.worst_log2));
  return row;
}

}  // namespace

std::vector<Comparison> comparisons(const Results& results, PeerKind kind) {
  std::vector<Comparison> list;
  std::vector<std::string> order;
  for (const PeerResult& peer : results.peers) {
    if (!belongs(peer, kind)) continue;
    place_in(order, peer.operation);
    const auto same = [&](const Comparison& c) {
      return c.operation == peer.operation && c.type == peer.type;
    };
    found_or_added(list, same, {peer.operation, peer.type, peer.components, peer.precision, {}})
        .entries.push_back(entry_of(peer));
  }
  for (Comparison& comparison : list) add_ours(results, comparison);
  const auto place = [&](const Comparison& c) { return place_in(order, c.operation); };
  std::stable_sort(list.begin(), list.end(), [&](const Comparison& a, const Comparison& b) {
    if (place(a) != place(b)) return place(a) < place(b);
    if (a.precision != b.precision) return a.precision > b.precision;
    return a.components < b.components;
  });
  return list;
}

std::vector<output::BarChart> comparison_charts(const std::vector<Comparison>& comparisons) {
  std::vector<output::BarChart> charts;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& c = comparisons[i];
    const bool same_chart = i > 0 && comparisons[i - 1].operation == c.operation &&
                            comparisons[i - 1].precision == c.precision;
    if (!same_chart) {
      output::BarChart chart;
      chart.title =
          fmt::format("{}, components of {} bits", operation_words(c.operation), c.precision);
      chart.description = fmt::format(
          "Bar chart: worst relative error of {} by type and implementation, as a power of two",
          operation_words(c.operation));
      chart.y_label = "log\xE2\x82\x82 of the worst relative error";
      charts.push_back(std::move(chart));
    }
    add_to_chart(charts.back(), c);
  }
  // one colour for one name over all charts of a section
  std::vector<std::string> names;
  for (output::BarChart& chart : charts)
    for (output::BarSeries& series : chart.series) series.colour = place_in(names, series.name);
  return charts;
}

std::string comparison_table(const std::vector<Comparison>& comparisons,
                             const std::string& caption) {
  std::string out = fmt::format(
      "<div class=\"scroll\"><table class=\"grouped\">\n<caption>{}</caption>\n{}\n",
      escaped(caption),
      head_html({"Operation", "Type", "Implementation", "#Cases", "#Max error (u<sup>N</sup>)",
                 "#Mean (u<sup>N</sup>)", "#Worst relative error"}));
  bool other_inputs = false;
  for (const Comparison& comparison : comparisons) {
    out += "<tbody>\n";
    bool first = true;
    for (const ComparedEntry& entry : comparison.entries) {
      out += row_html(comparison, entry, first);
      first = false;
      other_inputs = other_inputs || entry.other_inputs;
    }
    out += "</tbody>\n";
  }
  out += "</table></div>\n";
  if (other_inputs)
    out +=
        "<p class=\"note\">* Measured on the suite's own cases instead of the inputs of the "
        "rows below it.</p>\n";
  return out;
}

}  // namespace mct::validation

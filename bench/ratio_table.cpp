// The table at the end of a run: ours, each peer, and how many times longer the peer takes.
#include "bench/ratio_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mct::bench {

namespace {

double ours_of(const std::vector<Timing>& timings, const Timing& row) {
  for (const Timing& t : timings)
    if (t.work == row.work && t.type == row.type && t.implementation == "ours")
      return t.nanoseconds;
  return 0;
}

std::string command_of(const Circumstances& made) {
  const std::string filter = made.filter.empty() ? "" : fmt::format(" --filter '{}'", made.filter);
  return fmt::format("./run bench{} --repetitions {}", filter, made.repetitions);
}

/// A text as JSON has it. Names and expressions hold no control characters.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::string format_ratios(const std::vector<Timing>& timings, bool markdown) {
  const bool errors = std::any_of(timings.begin(), timings.end(),
                                  [](const Timing& t) { return t.error_units >= 0; });
  std::string text =
      markdown ? fmt::format(
                     "| work | type | implementation | ns per operation | times ours |{}\n"
                     "|---|---|---|---:|---:|{}\n",
                     errors ? " error, u^N |" : "", errors ? "---:|" : "")
               : fmt::format("{:<22}{:<7}{:<26}{:>18}{:>12}{}\n", "work", "type", "implementation",
                             "ns per operation", "times ours", errors ? "  error, u^N" : "");
  for (const Timing& row : timings) {
    const double ours = ours_of(timings, row);
    const std::string ratio = ours > 0 ? fmt::format("{:.2f}", row.nanoseconds / ours) : "";
    text += fmt::format(fmt::runtime(markdown ? "| {} | {} | {} | {:.3f} | {} |"
                                              : "{:<22}{:<7}{:<26}{:>18.3f}{:>12}"),
                        row.work, row.type, row.implementation, row.nanoseconds, ratio);
    const std::string error = row.error_units >= 0 ? fmt::format("{:.3g}", row.error_units) : "";
    if (errors) text += fmt::format(fmt::runtime(markdown ? " {} |" : "{:>12}"), error);
    text += '\n';
  }
  return text;
}

std::string format_circumstances(const Circumstances& made) {
  return fmt::format("{}, {}, {}, best of {}: `{}`.{}\n\n", made.processor, made.compiler,
                     made.date, made.repetitions, command_of(made),
                     made.peers.empty() ? "" : " Beside " + made.peers + ".");
}

std::string format_json(const Circumstances& made, const std::vector<Timing>& timings) {
  std::string text = fmt::format(
      "{{\n  \"format\": \"mctensor benchmark\",\n  \"hardware\": {},\n  \"compiler\": {},\n"
      "  \"date\": {},\n  \"repetitions\": \"best of {}\",\n  \"command\": {},\n{}"
      "  \"timings\": [\n",
      quoted(made.processor), quoted(made.compiler), quoted(made.date), made.repetitions,
      quoted(command_of(made)),
      made.peers.empty()
          ? ""
          : fmt::format("  \"peers\": {},\n  \"layout\": \"peers\",\n", quoted(made.peers)));
  for (const Timing& row : timings)
    text += fmt::format("    [{}, {}, {}, {:.6g}{}]{}\n", quoted(row.work), quoted(row.type),
                        quoted(row.implementation), row.nanoseconds,
                        row.error_units >= 0 ? fmt::format(", {:.3g}", row.error_units) : "",
                        &row == &timings.back() ? "" : ",");
  return text + "  ]\n}\n";
}

}  // namespace mct::bench

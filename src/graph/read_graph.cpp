// Graphs from edge lists.
#include "mctensor/graph/read_graph.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "src/graph/column_names.hpp"
#include "src/graph/columns.hpp"
#include "src/graph/edge_collector.hpp"
#include "src/graph/foreign_forms.hpp"

namespace mct::embed {
namespace {

/// The format that was given, and the found format where none was given.
struct EdgeListForm {
  Separator separator = Separator::automatic;
  bool header = false;
  std::vector<std::string> marks;  // of comments

  bool is_comment(std::string_view line) const {
    return std::any_of(marks.begin(), marks.end(),
                       [&](const std::string& mark) { return line.starts_with(mark); });
  }
};

constexpr std::size_t sample_lines = 1000;
constexpr std::size_t sample_characters = std::size_t(1) << 18;
constexpr std::string_view bar_between_tabs = "\t|\t";

struct NumberedLine {
  std::size_t number;
  std::string text;
};

/// A decimal number that is finite and >= 0; where semicolons separate, with a comma, too.
std::optional<double> weight_in(std::string_view text, Separator separator) {
  std::string with_point;
  if (const std::size_t comma = text.find(','); separator == Separator::semicolon &&
                                                comma < std::string_view::npos &&
                                                text.find('.') == std::string_view::npos) {
    with_point = text;
    with_point[comma] = '.';
    text = with_point;
  }
  const std::optional<double> value = number_in<double>(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

/// True if a third column is a number, even if it is not a weight: "-1", "1e400", "0,5", "nan".
bool begins_like_number(std::string_view text) {
  return (!text.empty() &&
          std::string_view("0123456789+-.,").find(text[0]) < std::string_view::npos) ||
         number_in<double>(text).has_value();
}

/// A weight, with a decimal point or comma.
bool is_weight(std::string_view text) { return weight_in(text, Separator::semicolon).has_value(); }

/// The format of a list, from the first lines of a file, by the rule that read_graph states. Throws
/// IoError, with file and line, for a list that may be read in two ways, for files in other known
/// formats, and for a header that contradicts the options.
class FormSample {
 public:
  FormSample(const std::filesystem::path& path, const EdgeListOptions& options)
      : lines_(path), options_(options) {}

  EdgeListForm form();

 private:
  void read();
  void find_marks(std::string_view line);
  Separator find_separator() const;
  Separator separator_of_first() const;
  bool fits(Separator separator) const;
  bool third_has_all_commas() const;
  bool has_decimal_comma_between_blanks() const;
  bool find_header() const;
  [[noreturn]] void fail(const std::string& what) const {
    lines_.fail(first_.front().number, what + ": " + shortened(first_.front().text));
  }

  TextLines lines_;
  const EdgeListOptions& options_;
  EdgeListForm form_;
  std::vector<NumberedLine> first_;
};

EdgeListForm FormSample::form() {
  read();
  form_.separator = options_.separator;
  if (first_.empty()) return form_;
  if (form_.separator == Separator::automatic) form_.separator = find_separator();
  form_.header = find_header();
  return form_;
}

void FormSample::read() {
  std::size_t characters = 0;
  std::string_view line;
  for (bool first = true; first_.size() < sample_lines && characters < sample_characters;) {
    if (!lines_.next(line)) return;
    if (trimmed(line).empty()) continue;
    if (std::exchange(first, false)) {
      if (const std::string other = foreign_form(line); !other.empty()) lines_.fail(other);
      find_marks(line);
    }
    if (form_.is_comment(line)) continue;
    if (first_.empty())
      if (const std::string other = foreign_form(line); !other.empty()) lines_.fail(other);
    characters += line.size();
    first_.push_back({lines_.number(), std::string(line)});
  }
}

void FormSample::find_marks(std::string_view line) {
  if (!options_.comments) return;
  if (!options_.comment_mark.empty()) {
    form_.marks = {options_.comment_mark};
    return;
  }
  form_.marks = {"#"};
  for (const char* const mark : {"%", "//"})
    if (line.starts_with(mark)) form_.marks.emplace_back(mark);
}

/// Whether every line has as many columns as the first, 2 or 3, without a tab in them, and a third
/// one that begins like a number, but for a header. (If it is no weight the reader says so.)
bool FormSample::fits(Separator separator) const {
  Columns columns(separator, options_.quotes);
  std::size_t width = 0;
  for (const NumberedLine& line : first_) {
    std::size_t count = 0;
    try {
      count = columns.cut(line.text);
    } catch (const DomainError&) {
      return false;
    }
    const bool first = width == 0;
    if (first) width = count;
    if (count != width || count < 2 || count > Columns::most) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (columns[i].find('\t') < std::string_view::npos) return false;
    if (count < Columns::most || begins_like_number(columns[2])) continue;
    if (!first || options_.header == Header::none) return false;
  }
  return true;
}

/// Whether the only commas between semicolons are decimal ones of weights.
bool FormSample::third_has_all_commas() const {
  Columns columns(Separator::semicolon, options_.quotes);
  return std::all_of(first_.begin(), first_.end(), [&](const NumberedLine& line) {
    const std::size_t count = columns.cut(line.text);
    const auto has_comma = [&](std::size_t i) {
      return columns[i].find(',') < std::string_view::npos;
    };
    return !has_comma(0) && !has_comma(1) && (count == 3 || !has_comma(count - 1));
  });
}

/// Whether blanks fit as well as commas, with weights that all have a comma.
bool FormSample::has_decimal_comma_between_blanks() const {
  if (!fits(Separator::blank)) return false;
  Columns columns(Separator::blank, options_.quotes);
  return std::all_of(first_.begin(), first_.end(), [&](const NumberedLine& line) {
    return columns.cut(line.text) == 3 && columns[2].find(',') < std::string_view::npos &&
           is_weight(columns[2]);
  });
}

Separator FormSample::find_separator() const {
  const bool bars = first_.front().text.find(bar_between_tabs) < std::string::npos;
  if (bars && fits(Separator::bar)) return Separator::bar;
  if (!bars && fits(Separator::tab)) return Separator::tab;
  const bool semicolon = fits(Separator::semicolon);
  const bool comma = fits(Separator::comma);
  if (semicolon && (!comma || third_has_all_commas())) return Separator::semicolon;
  if (semicolon)
    fail("semicolons and commas may both separate its columns; say which (separator, --separator)");
  if (comma && has_decimal_comma_between_blanks())
    fail(
        "its comma may separate two columns, or be the decimal comma of a weight; say which "
        "(separator, --separator), and write weights with a point");
  if (comma) return Separator::comma;
  if (fits(Separator::blank)) return Separator::blank;
  return separator_of_first();
}

/// Where nothing fits all lines.
Separator FormSample::separator_of_first() const {
  const std::string& line = first_.front().text;
  const auto has = [&](std::string_view text) { return line.find(text) < std::string::npos; };
  if (has(bar_between_tabs)) return Separator::bar;
  if (has("\t")) return Separator::tab;
  if (has(";")) return Separator::semicolon;
  return has(",") ? Separator::comma : Separator::blank;
}

bool FormSample::find_header() const {
  if (options_.header == Header::none) return false;
  Columns columns(form_.separator, options_.quotes);
  std::size_t count = 0;
  try {
    count = columns.cut(first_.front().text);
  } catch (const DomainError&) {
    return false;  // the reader names the fault
  }
  if (count != 2 && count != Columns::most) return false;
  const bool usual = column_names(columns[0], columns[1]) != ColumnNames::none;
  const bool no_number = count == Columns::most && !begins_like_number(columns[2]);
  if (options_.header == Header::automatic && !usual && !no_number) return false;
  if (const std::string problem = problem_of_header(columns[0], columns[1], options_.parent_first);
      !problem.empty())
    lines_.fail(first_.front().number, problem);
  return true;
}

constexpr std::uint64_t lines_between_reports = 65536;

class EdgeListReader {
 public:
  EdgeListReader(const std::filesystem::path& path, const EdgeListOptions& options)
      : options_(options),
        form_(FormSample(path, options).form()),
        lines_(path),
        columns_(form_.separator, options.quotes) {}

  Graph read(EdgeListReport& report);

 private:
  void cut(std::string_view line);
  void add_edge();
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail_at_weight();
  void report_progress() const;

  const EdgeListOptions& options_;
  EdgeListForm form_;
  TextLines lines_;
  Columns columns_;
  std::size_t width_ = 0;  // columns of every line; 0: no line with columns has been read
  EdgeListReport report_;
  std::unique_ptr<EdgeCollector> edges_;
};

Graph EdgeListReader::read(EdgeListReport& report) {
  report_.separator = form_.separator;
  std::string_view line;
  while (lines_.next(line)) {
    if (lines_.number() % lines_between_reports == 0) report_progress();
    if (form_.is_comment(line)) {
      ++report_.comments;
      continue;
    }
    if (trimmed(line).empty()) continue;
    const bool first = width_ == 0;
    cut(line);
    if (first) {
      edges_ = std::make_unique<EdgeCollector>(
          width_ == Columns::most, options_.parent_first,
          [this](std::size_t at, const std::string& what) { lines_.fail(at, what); });
      if ((report_.header = form_.header)) continue;
    }
    add_edge();
  }
  report_progress();
  report_.lines = lines_.number();
  report_.edges = edges_ ? edges_->added() : 0;
  if (report_.edges == 0)
    throw IoError(lines_.name() + " has no edges" +
                  (report_.header ? ", only a line that was taken for a header" : ""));
  Graph graph = edges_->graph();
  report_.self_loops = edges_->self_loops();
  report_.duplicates = edges_->duplicates();
  report = report_;
  return graph;
}

void EdgeListReader::cut(std::string_view line) {
  std::size_t count = 0;
  try {
    count = columns_.cut(line);
  } catch (const DomainError& error) {
    fail(error.what() + std::string(": ") + shortened(line));
  }
  if (width_ == 0 && (count == 2 || count == Columns::most)) width_ = count;
  if (count != width_)
    fail(std::to_string(count) + (count == 1 ? " column, " : " columns, ") +
         (width_ == 0 ? std::string("2 or 3 are wanted (child, parent, weight)")
                      : "the lines before have " + std::to_string(width_)) +
         ", separated by " + std::string(name_of(form_.separator)) + ": " + shortened(line));
}

void EdgeListReader::add_edge() {
  const auto weight = width_ == Columns::most ? weight_in(columns_[2], form_.separator) : 1;
  if (!weight) fail_at_weight();
  for (std::size_t i = 0; i < 2; ++i)
    if (columns_[i].empty()) fail("an empty name");
  edges_->add(columns_[0], columns_[1], lines_.number(), *weight);
}

void EdgeListReader::fail_at_weight() {
  const bool comma = weight_in(columns_[2], Separator::semicolon).has_value();
  fail("the weight is " + shortened(columns_[2]) + ", not a finite number >= 0" +
       (comma ? "; a decimal comma is understood where semicolons separate" : ""));
}

/// Fails for the line that was read last; faults of earlier lines come first.
void EdgeListReader::fail(const std::string& what) {
  if (edges_) edges_->flush();
  lines_.fail(what);
}

void EdgeListReader::report_progress() const {
  if (options_.progress) options_.progress(lines_.place(), lines_.size());
}

}  // namespace

Graph read_graph(const std::filesystem::path& path, const EdgeListOptions& options,
                 EdgeListReport* report) {
  EdgeListReport ours;
  return EdgeListReader(path, options).read(report == nullptr ? ours : *report);
}

}  // namespace mct::embed

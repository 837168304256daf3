// Graphs from edge lists.
#include "mctensor/embed/read_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mctensor/base/number_in.hpp"
#include "mctensor/error.hpp"
#include "src/embed/columns.hpp"
#include "src/embed/node_names.hpp"
#include "src/embed/text_lines.hpp"

namespace mct::embed {
namespace {

constexpr std::uint64_t most_edges = UINT32_MAX;
constexpr std::uint64_t lines_between_reports = 65536;

/// Usual names of the two columns, and whether the first one is above the second.
struct HeaderNames {
  std::string_view first;
  std::string_view second;
  bool parent_first = false;
  bool child_first = false;
};
constexpr std::array<HeaderNames, 14> usual_headers = {{
    {"id1", "id2"},
    {"source", "target"},
    {"from", "to"},
    {"src", "dst"},
    {"head", "tail"},
    {"node1", "node2"},
    {"child", "parent", false, true},
    {"descendant", "ancestor", false, true},
    {"hyponym", "hypernym", false, true},
    {"parent", "child", true, false},
    {"ancestor", "descendant", true, false},
    {"hypernym", "hyponym", true, false},
    {"child", "ancestor", false, true},
    {"ancestor", "child", true, false},
}};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower;
}

const HeaderNames* usual_header(const Columns& columns) {
  const std::string first = lower_case(columns[0]);
  const std::string second = lower_case(columns[1]);
  const auto* const at = std::find_if(
      usual_headers.begin(), usual_headers.end(),
      [&](const HeaderNames& names) { return names.first == first && names.second == second; });
  return at == usual_headers.end() ? nullptr : at;
}

/// A decimal number that is finite and >= 0.
std::optional<double> weight_in(std::string_view text) {
  const std::optional<double> value = number_in<double>(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

Separator separator_of(std::string_view line) {
  if (line.find('\t') != std::string_view::npos) return Separator::tab;
  return line.find(',') != std::string_view::npos ? Separator::comma : Separator::blank;
}

/// The names of some lines, to be looked up together: one by one, each would wait for memory.
struct Pending {
  static constexpr std::size_t most_edges = 256;
  static constexpr std::size_t most_characters = std::size_t(1) << 20;

  bool full() const { return lines.size() >= most_edges || characters.size() >= most_characters; }
  std::string characters;               // of the names
  std::vector<std::size_t> ends;        // of the names: a child, a parent, a child ...
  std::vector<std::size_t> lines;       // of the edges
  std::vector<double> weights;          // of the edges
  std::vector<std::string_view> names;  // made from characters and ends
  std::vector<std::int32_t> numbers;    // of the names

  void clear() {
    characters.clear();
    ends.clear();
    lines.clear();
    weights.clear();
  }
};

class EdgeListReader {
 public:
  EdgeListReader(const std::filesystem::path& path, const EdgeListOptions& options)
      : lines_(path), options_(options), columns_(options.separator) {}

  Graph read(EdgeListReport& report);

 private:
  void read_first(std::string_view line);
  void cut(std::string_view line);
  void add_edge();
  void add_name(std::string_view name);
  void enter_names();
  void check_names();
  [[noreturn]] void fail(const std::string& what);
  bool is_header() const;
  void check_header() const;
  void report_progress() const;

  TextLines lines_;
  const EdgeListOptions& options_;
  Columns columns_;
  std::size_t width_ = 0;  // columns of every line; 0: no line with columns has been read
  EdgeListReport report_;
  std::shared_ptr<NameTable> names_ = std::make_shared<NameTable>();
  std::size_t checked_ = 0;  // names that are known to be well formed
  Pending pending_;
  std::vector<std::int32_t> sources_;
  std::vector<std::int32_t> targets_;
  std::vector<double> weights_;
};

Graph EdgeListReader::read(EdgeListReport& report) {
  std::string_view line;
  while (lines_.next(line)) {
    if (lines_.number() % lines_between_reports == 0) report_progress();
    if (options_.comments && line.starts_with('#')) continue;
    if (trimmed(line).empty()) continue;
    if (width_ == 0) {
      read_first(line);
    } else {
      cut(line);
      add_edge();
    }
  }
  enter_names();
  report_progress();
  report_.lines = lines_.number();
  if (report_.edges == 0)
    throw IoError(lines_.name() + ": no edges" +
                  (report_.header ? ", only a line that was taken for a header" : ""));
  report = report_;
  return {std::move(names_), std::move(sources_), std::move(targets_), std::move(weights_)};
}

void EdgeListReader::read_first(std::string_view line) {
  report_.separator =
      options_.separator == Separator::automatic ? separator_of(line) : options_.separator;
  columns_ = Columns(report_.separator);
  cut(line);
  if (!is_header()) return add_edge();
  check_header();
  report_.header = true;
}

void EdgeListReader::cut(std::string_view line) {
  std::size_t count = 0;
  try {
    count = columns_.cut(line);
  } catch (const DomainError& error) {
    fail(error.what() + std::string(": ") + shortened(line));
  }
  if (width_ == 0 && (count == 2 || count == 3)) width_ = count;
  if (count != width_)
    fail(std::to_string(count) + (count == 1 ? " column, " : " columns, ") +
         (width_ == 0 ? std::string("2 or 3 are wanted (child, parent, weight)")
                      : "the lines before have " + std::to_string(width_)) +
         ": " + shortened(line));
}

bool EdgeListReader::is_header() const {
  if (options_.header != Header::automatic) return options_.header == Header::present;
  return usual_header(columns_) != nullptr || (width_ == 3 && !weight_in(columns_[2]));
}

/// A header that says the opposite of the options would turn every edge around.
void EdgeListReader::check_header() const {
  const HeaderNames* const names = usual_header(columns_);
  if (names == nullptr) return;
  const bool opposite = options_.parent_first ? names->child_first : names->parent_first;
  if (opposite)
    lines_.fail("the header is " + shortened(columns_[0]) + ", " + shortened(columns_[1]) +
                ", but the lines are to be read as " +
                (options_.parent_first ? "'parent child'" : "'child parent'") +
                " (EdgeListOptions::parent_first, --parent-first)");
}

void EdgeListReader::add_edge() {
  if (++report_.edges > most_edges) fail("more than " + std::to_string(most_edges) + " edges");
  const auto weight = width_ == 3 ? weight_in(columns_[2]) : 1;
  if (!weight) fail("the weight is " + shortened(columns_[2]) + ", not a finite number >= 0");
  add_name(columns_[0]);
  add_name(columns_[1]);
  pending_.lines.push_back(lines_.number());
  pending_.weights.push_back(*weight);
  if (pending_.full()) enter_names();
}

void EdgeListReader::add_name(std::string_view name) {
  if (name.empty()) fail("an empty name");
  pending_.characters += name;
  pending_.ends.push_back(pending_.characters.size());
}

/// The edges of the pending lines.
void EdgeListReader::enter_names() {
  const std::string_view characters = pending_.characters;
  pending_.names.clear();
  for (std::size_t begin = 0; const std::size_t end : pending_.ends) {
    pending_.names.push_back(characters.substr(begin, end - begin));
    begin = end;
  }
  pending_.numbers.resize(pending_.names.size());
  try {
    names_->enter_all(pending_.names, pending_.numbers);
  } catch (const DomainError& error) {
    lines_.fail(error.what());
  }
  check_names();
  for (std::size_t i = 0; i < pending_.lines.size(); ++i) {
    std::int32_t source = pending_.numbers[2 * i];
    std::int32_t target = pending_.numbers[2 * i + 1];
    if (options_.parent_first) std::swap(source, target);
    if (source == target) {
      ++report_.self_loops;
      continue;
    }
    sources_.push_back(source);
    targets_.push_back(target);
    if (width_ == 3) weights_.push_back(pending_.weights[i]);
  }
  pending_.clear();
}

/// New names have the next numbers, in the order of the lines.
void EdgeListReader::check_names() {
  for (std::size_t k = 0; checked_ < names_->size(); ++k) {
    if (std::size_t(pending_.numbers[k]) != checked_) continue;
    ++checked_;
    if (const std::string problem = problem_of_name(pending_.names[k]); !problem.empty())
      lines_.fail(pending_.lines[k / 2], problem);
  }
}

/// For the line that was read last; what is wrong with the lines before comes first.
void EdgeListReader::fail(const std::string& what) {
  const std::size_t line = lines_.number();
  pending_.ends.resize(2 * pending_.lines.size());
  enter_names();
  lines_.fail(line, what);
}

void EdgeListReader::report_progress() const {
  if (options_.progress) options_.progress(lines_.place(), lines_.size());
}

/// 1 for each edge that is the first of its two nodes.
std::vector<std::uint8_t> first_ones(const Graph& graph) {
  const std::size_t nodes = graph.node_count();
  const std::size_t edges = graph.edge_count();
  std::vector<std::uint32_t> begin(nodes + 1, 0);
  for (const std::int32_t source : graph.sources()) ++begin[std::size_t(source) + 1];
  for (std::size_t v = 0; v < nodes; ++v) begin[v + 1] += begin[v];
  std::vector<std::uint32_t> edges_from(edges);
  {
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < edges; ++i)
      edges_from[next[std::size_t(graph.sources()[i])]++] = std::uint32_t(i);
  }
  std::vector<std::uint8_t> first(edges, 0);
  std::vector<std::int32_t> last_source(nodes, -1);  // that has an edge to this node
  for (std::size_t v = 0; v < nodes; ++v)
    for (std::uint32_t k = begin[v]; k < begin[v + 1]; ++k) {
      const std::uint32_t i = edges_from[k];
      std::int32_t& seen = last_source[std::size_t(graph.targets()[i])];
      first[i] = seen == std::int32_t(v) ? 0 : 1;
      seen = std::int32_t(v);
    }
  return first;
}

}  // namespace

Graph read_graph(const std::filesystem::path& path, const EdgeListOptions& options,
                 EdgeListReport* report) {
  EdgeListReport ours;
  EdgeListReport& found = report == nullptr ? ours : *report;
  Graph graph = EdgeListReader(path, options).read(found);
  const std::vector<std::uint8_t> first = first_ones(graph);
  found.duplicates = std::uint64_t(std::count(first.begin(), first.end(), 0));
  return found.duplicates == 0 ? std::move(graph) : edges_where(graph, first);
}

}  // namespace mct::embed

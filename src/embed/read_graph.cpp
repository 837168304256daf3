// Graphs from edge lists.
#include "mctensor/embed/read_graph.hpp"

#include <string>
#include <string_view>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "src/embed/columns.hpp"
#include "src/embed/edge_collector.hpp"
#include "src/embed/edge_list_form.hpp"

namespace mct::embed {
namespace {

constexpr std::uint64_t lines_between_reports = 65536;

class EdgeListReader {
 public:
  EdgeListReader(const std::filesystem::path& path, const EdgeListOptions& options)
      : options_(options),
        form_(form_of(path, options)),
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
    throw IoError(lines_.name() + ": no edges" +
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

/// For the line that was read last; what is wrong with the lines before comes first.
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

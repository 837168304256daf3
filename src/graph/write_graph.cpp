// Graphs to edge lists.
#include <string>
#include <string_view>
#include <utility>

#include "mctensor/base/byte_files.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/graph.hpp"
#include "src/graph/column_names.hpp"
#include "src/graph/node_names.hpp"

namespace mct::embed {
namespace {

constexpr std::size_t edges_between_reports = std::size_t(1) << 16;

/// Beginnings for which a name at the beginning of a line needs quotes: a comment, and the
/// beginnings of files in other formats. Elsewhere: a quote, and the bar of NCBI's dumps.
constexpr std::string_view quoted_at_begin = "\"|#%/*<({[@";
constexpr std::string_view quoted_anywhere = "\"|";

class EdgeLines {
 public:
  EdgeLines(const std::filesystem::path& path, const Graph& graph) : graph_(graph), file_(path) {
    for (std::size_t v = 0; v < graph.node_count(); ++v)
      if (const std::string problem = problem_of_name(graph.name(std::int32_t(v)));
          !problem.empty())
        throw IoError("cannot write '" + path.string() + "': " + problem);
  }

  void add(std::int32_t source, std::int32_t target, double weight) {
    if (std::exchange(first_, false)) add_header(graph_.name(source), graph_.name(target));
    add_name(graph_.name(source), quoted_at_begin);
    file_.write("\t");
    add_name(graph_.name(target), quoted_anywhere);
    if (graph_.has_weights()) {
      file_.write("\t");
      file_.write(number_text(weight));
    }
    file_.write("\n");
  }
  void commit() { file_.commit(); }

 private:
  /// Adds a header if the first edge looks like one.
  void add_header(std::string_view source, std::string_view target) {
    if (column_names(source, target) == ColumnNames::none) return;
    file_.write(graph_.has_weights() ? "child\tparent\tweight\n" : "child\tparent\n");
  }
  void add_name(std::string_view name, std::string_view quoted) {
    if (quoted.find(name.front()) == std::string_view::npos) {
      file_.write(name);
      return;
    }
    file_.write("\"");
    for (const char c : name) file_.write(c == '"' ? "\"\"" : std::string_view(&c, 1));
    file_.write("\"");
  }

  const Graph& graph_;
  ByteSink file_;
  bool first_ = true;
};

}  // namespace

void write_graph(const std::filesystem::path& path, const Graph& graph,
                 const std::function<void(std::size_t)>& progress) {
  EdgeLines lines(path, graph);
  std::vector<std::uint8_t> has_edge(graph.node_count(), 0);
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    const std::int32_t source = graph.sources()[i];
    const std::int32_t target = graph.targets()[i];
    has_edge[std::size_t(source)] = has_edge[std::size_t(target)] = 1;
    lines.add(source, target, graph.weight(i));
    if (progress && (i + 1) % edges_between_reports == 0) progress(i + 1);
  }
  for (std::size_t v = 0; v < has_edge.size(); ++v)
    if (has_edge[v] == 0) lines.add(std::int32_t(v), std::int32_t(v), 1);
  lines.commit();
}

}  // namespace mct::embed

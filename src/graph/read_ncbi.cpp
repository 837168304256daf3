// NCBI's taxonomy, from its dumps.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/read_hierarchy.hpp"
#include "src/graph/edge_collector.hpp"
#include "src/graph/node_names.hpp"

namespace mct::embed {
namespace {

/// The fields of a line: a bar between tabs separates them, a tab and a bar end the last one.
std::vector<std::string_view> fields_of(std::string_view line) {
  constexpr std::string_view between = "\t|\t";
  constexpr std::string_view end = "\t|";
  if (line.ends_with(end)) line.remove_suffix(end.size());
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t at = line.find(between);
    fields.push_back(line.substr(0, at));
    if (at == std::string_view::npos) return fields;
    line.remove_prefix(at + between.size());
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Graph read_nodes(const std::filesystem::path& path, HierarchyReport& report) {
  TextLines lines(path);
  EdgeCollector edges(false, false,
                      [&](std::size_t line, const std::string& what) { lines.fail(line, what); });
  std::uint64_t roots = 0;
  std::string_view line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    const auto fields = fields_of(line);
    if (fields.size() < 3 || !is_number(fields[0]) || !is_number(fields[1]))
      lines.fail(
          "not a line of nodes.dmp, which has numbers of a taxon and its parent, a rank, and a "
          "bar between tabs after each: " +
          shortened(line));
    roots += fields[0] == fields[1];
    edges.add(fields[0], fields[1], lines.number());
  }
  Graph graph = edges.graph();
  if (graph.edge_count() == 0) throw IoError(lines.name() + " has no edges");
  report.format = HierarchyFormat::ncbi;
  report.lines = lines.number();
  report.edges = edges.added() - roots;  // a root is its own parent there
  report.duplicates = edges.duplicates();
  return graph;
}

/// The scientific names of nodes that are called by numbers, which are unique.
class TaxonNames {
 public:
  TaxonNames(const std::filesystem::path& path, const Graph& graph)
      : lines_(path), graph_(graph), names_(graph.node_count()) {}

  Graph renamed() {
    std::string_view line;
    while (lines_.next(line))
      if (!line.empty()) read(fields_of(line), line);
    auto table = std::make_shared<NameTable>();
    for (std::size_t v = 0; v < names_.size(); ++v) {
      const auto& [name, at] = names_[v];
      if (at == 0)
        throw IoError(lines_.name() + ": no scientific name of the taxon " +
                      std::string(graph_.name(std::int32_t(v))));
      if (!table->enter(name).second)
        lines_.fail(at, "the name " + shortened(name) + " is that of two taxa");
    }
    return {std::move(table), graph_.sources(), graph_.targets()};
  }

 private:
  struct Name {
    std::string text;
    std::size_t line = 0;
  };

  void read(const std::vector<std::string_view>& fields, std::string_view line) {
    if (fields.size() != 4 || !is_number(fields[0]))
      lines_.fail(
          "not a line of names.dmp, which has the number of a taxon, a name, a unique name, "
          "and what kind of name it is: " +
          shortened(line));
    if (fields[3] != "scientific name") return;
    const std::int32_t node = graph_.find(fields[0]);
    if (node < 0) return;
    const std::string_view name = fields[2].empty() ? fields[1] : fields[2];
    if (const std::string problem = problem_of_name(name); !problem.empty()) lines_.fail(problem);
    names_[std::size_t(node)] = {std::string(name), lines_.number()};
  }

  TextLines lines_;
  const Graph& graph_;
  std::vector<Name> names_;
};

}  // namespace

Graph read_ncbi_taxonomy(const std::filesystem::path& nodes, const std::filesystem::path& names,
                         HierarchyReport* report) {
  HierarchyReport found;
  Graph graph = read_nodes(nodes, found);
  if (!names.empty()) graph = TaxonNames(names, graph).renamed();
  if (report != nullptr) *report = found;
  return graph;
}

}  // namespace mct::embed

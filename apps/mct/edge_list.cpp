#include "apps/mct/edge_list.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "apps/mct/one_of.hpp"
#include "mctensor/error.hpp"
#include "validation/report/number_text.hpp"
#include "validation/report/progress.hpp"

namespace mct::cli {
namespace {

using validation::count_text;

const char* name_of(embed::Separator separator) {
  if (separator == embed::Separator::tab) return "tabs";
  return separator == embed::Separator::comma ? "commas" : "blanks";
}

}  // namespace

CLI::Option* add_edge_list(CLI::App& command, const std::string& name, EdgeList& list) {
  using embed::Header;
  using embed::Separator;
  CLI::Option* const file = command.add_option(
      name, list.file,
      "The edge list: 'child parent' or 'child parent weight' a line, separated by tabs, commas "
      "(CSV) or blanks; it may be compressed by gzip");
  const bool may_miss = name.starts_with('-');
  file->required(!may_miss);
  if (may_miss) file->type_name("FILE");
  command
      .add_option("--separator", list.options.separator,
                  "auto (a tab if the first line has one, else a comma, else blanks), tab, comma "
                  "or blank [auto]")
      ->transform(one_of(std::map<std::string, Separator>{{"auto", Separator::automatic},
                                                          {"tab", Separator::tab},
                                                          {"comma", Separator::comma},
                                                          {"blank", Separator::blank}}));
  command
      .add_option("--header", list.options.header,
                  "Whether the first line has names of columns: auto (if its third column is no "
                  "number, or both others are such as id1 id2, source target, from to, child "
                  "parent), yes or no [auto]")
      ->transform(one_of(std::map<std::string, Header>{
          {"auto", Header::automatic}, {"yes", Header::present}, {"no", Header::none}}));
  command.add_flag("--parent-first", list.options.parent_first, "Lines are 'parent child'");
  command.add_flag(
      "--no-comments", [&list](std::int64_t) { list.options.comments = false; },
      "Lines that begin with # are edges, too");
  if (may_miss)
    for (const char* const of_lines :
         {"--separator", "--header", "--parent-first", "--no-comments"})
      command.get_option(of_lines)->needs(file);
  return file;
}

embed::Graph load_graph(const EdgeList& list) {
  validation::ProgressBar bar("read", 1, "bytes");
  embed::EdgeListOptions options = list.options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { bar.update(done, total); };
  embed::EdgeListReport report;
  embed::Graph graph = read_graph(list.file, options, &report);
  bar.finish();
  fmt::print("{}: {} lines, separated by {}, {}; {} edges\n", list.file, count_text(report.lines),
             name_of(report.separator), report.header ? "with a header" : "no header",
             count_text(report.edges));
  if (report.duplicates > 0)
    fmt::print("left out: {} edges that were there before\n", count_text(report.duplicates));
  if (report.self_loops > 0)
    fmt::print("left out: {} edges from a node to itself\n", count_text(report.self_loops));
  return graph;
}

embed::Graph load_graph(const EdgeList& list, const std::shared_ptr<const embed::NameTable>& names,
                        const std::string& owner) {
  const embed::Graph graph = load_graph(list);
  try {
    return embed::renumbered(graph, names);
  } catch (const DomainError& error) {
    throw DomainError(fmt::format("'{}' is not of '{}': {}", list.file, owner, error.what()));
  }
}

embed::Graph connected_nodes(const embed::Graph& graph) {
  std::vector<std::uint8_t> keep(graph.node_count(), 0);
  for (const auto* const ends : {&graph.sources(), &graph.targets()})
    for (const std::int32_t node : *ends) keep[std::size_t(node)] = 1;
  return nodes_where(graph, keep);
}

void write_graph(const std::string& path, const embed::Graph& graph) {
  validation::ProgressBar bar("write", graph.edge_count(), "edges");
  embed::write_graph(path, graph, [&](std::size_t done) { bar.update(done, graph.edge_count()); });
  bar.finish();
  fmt::print("{}: {} nodes, {} edges\n", path, count_text(graph.node_count()),
             count_text(graph.edge_count()));
}

}  // namespace mct::cli

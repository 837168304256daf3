#include "apps/mct/edge_list.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/mct/one_of.hpp"
#include "mctensor/error.hpp"
#include "output/number_text.hpp"
#include "output/progress.hpp"

namespace mct::cli {
namespace {

using output::count_text;

using embed::HierarchyFormat;

/// The content of an edge list.
std::string form_text(const embed::HierarchyReport& report) {
  return fmt::format(
      "separated by {}, {}{}", name_of(report.separator),
      report.header ? "with a header" : "no header",
      report.comments > 0 ? fmt::format(", {} comments", count_text(report.comments)) : "");
}

/// The format in which it was read.
std::string report_text(const embed::HierarchyReport& report) {
  if (report.format == HierarchyFormat::obo) return "an ontology in OBO";
  if (report.format == HierarchyFormat::ncbi) return "a taxonomy of NCBI";
  return form_text(report);
}

void print_left_out(std::uint64_t count, const char* what) {
  if (count > 0) fmt::print("left out: {} {}\n", count_text(count), what);
}

void add_form_options(CLI::App& command, EdgeList& list) {
  embed::HierarchyOptions& options = list.options;
  command
      .add_option(
          "--format", options.format,
          "auto (by name, *.obo or nodes.dmp, and by the first line), edges (a list), obo (an "
          "ontology: its edges are is_a) or ncbi (nodes.dmp of NCBI's taxonomy) [auto]")
      ->transform(one_of(embed::hierarchy_format_names));
  command
      .add_option(
          "--relationship", options.obo.relationships,
          "Of OBO: a relationship that is an edge, too, such as part_of; may be given again")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--ids", options.obo.ids, "Of OBO: call terms by their ids, not their names");
  command
      .add_option("--taxon-names", options.taxon_names,
                  "Of NCBI: names.dmp, to call taxa by their scientific names, not their numbers")
      ->type_name("FILE");
}

void add_list_options(CLI::App& command, EdgeList& list) {
  embed::EdgeListOptions& options = list.options.edges;
  command
      .add_option("--separator", options.separator,
                  "auto (what cuts all of the first 1000 lines into as many columns), tab, comma, "
                  "semicolon, bar (|) or blank [auto]")
      ->transform(one_of(embed::separator_names));
  command
      .add_option(
          "--header", options.header,
          "Whether the first line has names of columns: auto (if its third column begins "
          "like no number, or both others are such as id1 id2, source target, child parent, "
          "term parent_term), yes or no [auto]")
      ->transform(one_of(embed::header_names));
  command.add_flag("--parent-first", options.parent_first, "Lines are 'parent child'");
  CLI::Option* const mark =
      command
          .add_option(
              "--comment", options.comment_mark,
              "Lines that begin with this do not count [#, and % or // in a file that begins "
              "with it]")
          ->type_name("MARK");
  command
      .add_flag(
          "--no-comments", [&options](std::int64_t) { options.comments = false; },
          "Lines that begin with a mark are edges, too")
      ->excludes(mark);
  command.add_flag(
      "--no-quotes", [&options](std::int64_t) { options.quotes = false; },
      "A \" at the beginning of a column is part of a name");
}

}  // namespace

CLI::Option* add_edge_list(CLI::App& command, const std::string& name, EdgeList& list) {
  CLI::Option* const file = command.add_option(
      name, list.file,
      "The edge list: 'child parent' or 'child parent weight' a line, separated by tabs, commas "
      "(CSV), semicolons or blanks; or an ontology in OBO, or NCBI's nodes.dmp; it may be "
      "compressed by gzip");
  const bool may_miss = name.starts_with('-');
  file->required(!may_miss);
  if (may_miss) file->type_name("FILE");
  add_form_options(command, list);
  add_list_options(command, list);
  if (may_miss)
    for (const char* const of_lines :
         {"--format", "--relationship", "--ids", "--taxon-names", "--separator", "--header",
          "--parent-first", "--comment", "--no-comments", "--no-quotes"})
      command.get_option(of_lines)->needs(file);
  return file;
}

embed::Graph load_graph(const EdgeList& list) {
  output::ProgressBar bar("read", 1, "bytes");
  embed::HierarchyOptions options = list.options;
  options.edges.progress = [&](std::uint64_t done, std::uint64_t total) {
    bar.update(done, total);
  };
  embed::HierarchyReport report;
  embed::Graph graph = read_hierarchy(list.file, options, &report);
  bar.finish();
  fmt::print("{}: {} lines, {}; {} edges\n", list.file, count_text(report.lines),
             report_text(report), count_text(report.edges));
  print_left_out(report.obsolete, "terms that are obsolete");
  print_left_out(report.duplicates, "edges that were there before");
  print_left_out(report.self_loops, "edges from a node to itself");
  if (report.undefined > 0)
    fmt::print("not in the file: {} terms that edges lead to, called by their ids\n",
               count_text(report.undefined));
  return graph;
}

embed::Graph load_graph(const EdgeList& list, const std::shared_ptr<const embed::NameTable>& names,
                        const std::string& owner) {
  const embed::Graph graph = load_graph(list);
  try {
    return embed::renumbered(graph, names);
  } catch (const DomainError& error) {
    throw DomainError(
        fmt::format("'{}' does not belong to '{}': {}", list.file, owner, error.what()));
  }
}

embed::Graph connected_nodes(const embed::Graph& graph) {
  std::vector<std::uint8_t> keep(graph.node_count(), 0);
  for (const auto* const ends : {&graph.sources(), &graph.targets()})
    for (const std::int32_t node : *ends) keep[std::size_t(node)] = 1;
  return nodes_where(graph, keep);
}

void write_graph(const std::string& path, const embed::Graph& graph) {
  output::ProgressBar bar("write", graph.edge_count(), "edges");
  embed::write_graph(path, graph, [&](std::size_t done) { bar.update(done, graph.edge_count()); });
  bar.finish();
  fmt::print("{}: {} nodes, {} edges\n", path, count_text(graph.node_count()),
             count_text(graph.edge_count()));
}

}  // namespace mct::cli

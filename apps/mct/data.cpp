// `mct data`: hierarchies as edge lists.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cstdint>
#include <string>

#include "apps/mct/command.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/output_paths.hpp"
#include "apps/mct/ranges.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/statistics.hpp"
#include "mctensor/graph/usual_graph.hpp"
#include "mctensor/graph/wordnet.hpp"
#include "output/number_text.hpp"
#include "output/progress.hpp"

namespace mct::cli::data_command {
namespace {

using embed::Graph;
using output::count_text;
using output::ProgressBar;

constexpr const char* exit_codes =
    "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.";

void describe_data(CLI::App& command) {
  command.description(
      std::string("Make, examine and change hierarchies that are edge lists (docs/embed.md).\n") +
      exit_codes);
}

// mct data wordnet

struct WordnetArguments {
  std::string subset = "mammals";
  std::string directory = embed::debian_wordnet;
  std::string out;
};

void wordnet_command(const WordnetArguments& arguments) {
  const auto subset = embed::wordnet_subset_from(arguments.subset);
  const std::string out =
      arguments.out.empty() ? "wordnet_" + arguments.subset + ".tsv" : arguments.out;
  const std::filesystem::path database = arguments.directory;
  for (const char* const name : {"data.noun", "index.noun", "data.verb", "index.verb"})
    check_different({(database / name).string(), out});
  check_writable(out);
  write_graph(out, embed::read_wordnet(database, subset));
}

void describe_wordnet(CLI::App& command, WordnetArguments& arguments) {
  command.description(
      std::string("Write the closure of WordNet's hypernyms as an edge list: a line "
                  "'child<TAB>ancestor' for\neverything above every synset, instances "
                  "included.\n") +
      exit_codes);
  command.footer(
      "The database files are those of Debian's package wordnet-base (WordNet 3.0):\n"
      "  nouns    82115 synsets,  743241 edges\n"
      "  verbs    13542 synsets,   35079 edges\n"
      "  mammals   1182 synsets,    6542 edges: mammal.n.01 and all below it\n"
      "Names are NLTK's, as dog.n.01.\n\n"
      "Examples:\n"
      "  mct data wordnet --subset nouns -o nouns.tsv.gz\n"
      "  mct data wordnet --wordnet ~/WordNet-3.0/dict -o mammals.tsv");
  command.add_option("--subset", arguments.subset, "nouns, verbs or mammals");
  command
      .add_option("--wordnet", arguments.directory,
                  "The directory of data.noun, index.noun, data.verb and index.verb")
      ->type_name("DIR");
  command
      .add_option("-o,--out", arguments.out,
                  "The edge list; compressed if the name ends in .gz [wordnet_SUBSET.tsv]")
      ->type_name("FILE");
}

// mct data stats

struct StatsArguments {
  EdgeList input;
  embed::HyperbolicityOptions delta;
};

void print_counts(const Graph& graph, const embed::GraphStatistics& s) {
  fmt::print("nodes       {}\n", count_text(s.nodes));
  fmt::print("edges       {}{}\n", count_text(s.edges), graph.has_weights() ? ", weighted" : "");
  fmt::print("roots       {} with nothing above\n", count_text(s.roots));
  fmt::print("leaves      {} with nothing below\n", count_text(s.leaves));
  fmt::print("depth       {}\n", s.depth ? fmt::format("{} edges, the longest path", *s.depth)
                                         : "not defined: there are cycles");
  fmt::print("children    {:.3g} of a node that has any, {} of '{}'\n", s.mean_children,
             count_text(s.most_children), graph.name(s.most_children_at));
  fmt::print("components  {}, the largest of {} nodes\n", count_text(s.components),
             count_text(s.largest_component));
  if (s.cycles.components == 0) {
    fmt::print("cycles      none\n");
  } else {
    fmt::print("cycles      {} strong components, {} nodes in them: {}\n",
               count_text(s.cycles.components), count_text(s.cycles.nodes),
               embed::cycle_text(graph, s.cycles.example));
  }
  const embed::HierarchyVerdict verdict = embed::hierarchy_verdict(graph, s);
  fmt::print("hierarchy   {}: {}\n", verdict.is_hierarchy ? "yes" : "no", verdict.reason);
}

void print_delta(const embed::Hyperbolicity& h) {
  fmt::print(
      "delta       largest {:g}, mean {:.3g}; relative to the diameter of {}: {:.3g}, {:.3g}\n",
      h.largest, h.mean, h.diameter, h.relative(h.largest), h.relative(h.mean));
  const bool all = h.nodes == h.of_nodes;
  fmt::print("            {} quadruples of {} nodes of the largest component{}\n",
             count_text(h.quadruples), all ? "all" : count_text(h.nodes),
             all ? "" : ": largest and diameter are lower bounds");
}

void stats_command(const StatsArguments& arguments) {
  const Graph graph = load_graph(arguments.input);
  ProgressBar counting("count", graph.edge_count(), "edges");
  const embed::GraphStatistics counts = embed::statistics(graph);
  counting.finish();
  print_counts(graph, counts);
  if (arguments.delta.nodes == 0) return;
  embed::HyperbolicityOptions options = arguments.delta;
  ProgressBar bar("delta", options.nodes, "searches");
  options.progress = [&](std::size_t done) { bar.update(done, options.nodes); };
  const embed::Hyperbolicity delta = embed::hyperbolicity(graph, options);
  bar.finish();
  print_delta(delta);
}

void describe_stats(CLI::App& command, StatsArguments& arguments) {
  command.description(
      std::string(
          "Say what a graph is like: how many nodes, roots and leaves, how deep, "
          "how wide, whether it has cycles,\nwhether mct embed takes it for a hierarchy, and how "
          "near it is to a tree.\n") +
      exit_codes);
  command.footer(
      "Depth, children and delta of a transitive closure: the depth is that of the hierarchy, but\n"
      "children are all descendants, and distances are short. 'mct data reduce' gives the list for "
      "these.\n\n"
      "Delta is Gromov's: 0 for a tree; relative to the diameter (2 delta / diameter) 1 is as far "
      "from one as\ncan be. Its quadruples are all those of some nodes, drawn from the largest "
      "component.\n\n"
      "Examples:\n"
      "  mct data stats edges.csv\n"
      "  mct data stats taxonomy.txt.gz --parent-first --samples 300");
  add_edge_list(command, "FILE", arguments.input);
  command
      .add_option("--samples", arguments.delta.nodes,
                  "Nodes from which distances are searched for delta; 0: no delta")
      ->check(CLI::Range(0, 500));
  command.add_option("--seed", arguments.delta.seed, "Of the nodes that are drawn");
}

// mct data closure, mct data reduce

struct ClosureArguments {
  EdgeList input;
  std::string out;
  std::uint64_t most_edges = embed::usual_closure_edges;
};

void closure_command(const ClosureArguments& arguments) {
  check_different({arguments.input.file, arguments.out});
  check_writable(arguments.out);
  const Graph graph = load_graph(arguments.input);
  ProgressBar bar("closure", graph.node_count(), "nodes");
  const Graph closure = embed::transitive_closure(
      graph, arguments.most_edges, [&](std::size_t n) { bar.update(n, graph.node_count()); });
  bar.finish();
  write_graph(arguments.out, closure);
}

void describe_closure(CLI::App& command, ClosureArguments& arguments) {
  command.description(
      std::string("Write the transitive closure of a graph without cycles: an edge from every node "
                  "to all its ancestors.\nWeights are left out.\n") +
      exit_codes);
  command.footer("Example:\n  mct data closure edges.csv -o closure.tsv.gz");
  add_edge_list(command, "FILE", arguments.input);
  command
      .add_option("-o,--out", arguments.out,
                  "The edge list, separated by tabs; compressed if the name ends in .gz")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--most-edges", arguments.most_edges,
                  "Stop if there are more: 12 to 16 bytes of memory each")
      ->check(positive());
}

struct ReduceArguments {
  EdgeList input;
  std::string out;
  std::string others;
};

void reduce_command(const ReduceArguments& arguments) {
  check_different({arguments.input.file, arguments.out, arguments.others});
  for (const std::string& path : {arguments.out, arguments.others})
    if (!path.empty()) check_writable(path);
  const Graph graph = load_graph(arguments.input);
  ProgressBar bar("reduce", graph.node_count(), "nodes");
  auto flags =
      embed::basic_edges(graph, [&](std::size_t done) { bar.update(done, graph.node_count()); });
  bar.finish();
  write_graph(arguments.out, embed::edges_where(graph, flags));
  if (arguments.others.empty()) return;
  for (std::uint8_t& flag : flags) flag = flag == 0 ? 1 : 0;
  write_graph(arguments.others, connected_nodes(embed::edges_where(graph, flags)));
}

void describe_reduce(CLI::App& command, ReduceArguments& arguments) {
  command.description(
      std::string("Write the basic edges of a graph without cycles: those that do not follow from "
                  "others. They are the fewest\nwith the same closure.\n") +
      exit_codes);
  command.footer("Example:\n  mct data reduce closure.tsv -o basic.tsv --others follow.tsv");
  add_edge_list(command, "FILE", arguments.input);
  command
      .add_option("-o,--out", arguments.out,
                  "The basic edges, separated by tabs; compressed if the name ends in .gz")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--others", arguments.others,
                  "Write the edges that follow from the basic ones, too")
      ->type_name("FILE");
}

const Command data_entry("data", describe_data);
const Command wordnet_entry("data wordnet", describe_wordnet, wordnet_command);
const Command stats_entry("data stats", describe_stats, stats_command);
const Command closure_entry("data closure", describe_closure, closure_command);
const Command reduce_entry("data reduce", describe_reduce, reduce_command);

}  // namespace
}  // namespace mct::cli::data_command

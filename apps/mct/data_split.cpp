// `mct data split`: edges to train on, and edges that are held out.
#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <utility>

#include "apps/mct/command.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/output_paths.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/split.hpp"

namespace mct::cli {
namespace {

struct SplitArguments {
  EdgeList input;
  std::string out;
  bool without_roots = false;
  embed::SplitOptions options;
};

void split_command(const SplitArguments& arguments) {
  const std::filesystem::path out = arguments.out;
  const auto path = [&](const char* name) { return (out / name).string(); };
  const std::string train = path("train.tsv");
  const std::string validation = path("validation.tsv");
  const std::string test = path("test.tsv");
  check_different({arguments.input.file, train, validation, test});
  embed::Graph graph = load_graph(arguments.input);
  if (arguments.without_roots) graph = embed::without_roots(graph);
  const embed::EdgeSplit split = embed::split_edges(graph, arguments.options);
  for (const auto& [part, name] :
       {std::pair(&split.test, "test"), std::pair(&split.validation, "validation")})
    if (part->edge_count() == 0)
      throw DomainError("'" + arguments.input.file + "' has no edge for " + name +
                        ": too few follow from others; see 'mct data closure'");
  std::error_code error;
  std::filesystem::create_directories(out, error);
  for (const std::string& each : {train, validation, test}) check_writable(each);
  write_graph(train, split.train);
  write_graph(validation, connected_nodes(split.validation));
  write_graph(test, connected_nodes(split.test));
}

void describe_split(CLI::App& command, SplitArguments& arguments) {
  command.description(
      "Split the closure of a hierarchy for link prediction: train.tsv, validation.tsv, test.tsv.\n"
      "All basic edges are trained, and of those that follow from them as many as --percent says.\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  command.footer(
      "The held-out edges depend on the seed alone. Train without the closure, which has them:\n"
      "  mct data split data/wordnet_mammals.tsv -o split\n"
      "  mct embed split/train.tsv --as-given --dim 5 -o run\n"
      "  mct eval run/embedding.safetensors --edges split/train.tsv --validation "
      "split/validation.tsv --held-out split/test.tsv");
  add_edge_list(command, "FILE", arguments.input);
  command.add_option("-o,--out", arguments.out, "The directory of the three lists")
      ->type_name("DIR")
      ->required();
  command.add_option("--percent", arguments.options.percent,
                     "Per cent of the edges that are not basic to train");
  command.add_option("--validation", arguments.options.validation,
                     "Per cent of them to hold out for choices, such as a threshold");
  command.add_option("--test", arguments.options.test, "Per cent of them to hold out for the end");
  command.add_flag("--without-roots", arguments.without_roots,
                   "Leave out roots: everything is below them");
  command.add_option("--seed", arguments.options.seed, "Of what goes where");
}

const Command split_entry("data split", describe_split, split_command);

}  // namespace
}  // namespace mct::cli

// `mct eval`: how well an embedding represents a graph.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "apps/mct/command.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/output_paths.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/embed/link_prediction.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/usual_graph.hpp"
#include "output/number_text.hpp"
#include "output/progress.hpp"

namespace mct::cli::eval_command {
namespace {

using embed::Embedding;
using embed::Graph;
using embed::LinkPredictionReport;
using embed::RankingReport;
using output::count_text;
using output::ProgressBar;

struct Arguments {
  std::string file;
  EdgeList edges;
  std::string held_out, validation;
  bool closure = false;
  bool as_given = false;
  std::size_t objects = 0;
  std::uint64_t seed = 0;
  int negatives = embed::LinkPredictionOptions().negatives;
  std::string json;
};

/// The output: it is printed and written.
struct Result {
  RankingReport ranking;
  std::optional<LinkPredictionReport> prediction;
  bool both_directions = false;
  double seconds = 0;
};

Graph load_list(const Arguments& arguments, const std::string& file, const Embedding& embedding) {
  return load_graph({file, arguments.edges.options}, embedding.names(), arguments.file);
}

Graph closure_of(const Graph& graph) {
  ProgressBar bar("closure", graph.node_count(), "nodes");
  return embed::transitive_closure(graph, embed::usual_closure_edges,
                                   [&](std::size_t done) { bar.update(done, graph.node_count()); });
}

/// The closure if the options ask for it. Otherwise the graph, with both directions of each edge if
/// it is no hierarchy.
Graph ranked_graph(const Arguments& arguments, Graph graph, bool& both_directions) {
  if (arguments.closure) return closure_of(graph);
  if (arguments.as_given || !arguments.held_out.empty()) return graph;
  embed::UsualGraph chosen = embed::usual_neighbours(graph);
  both_directions = !chosen.is_hierarchy;
  if (both_directions)
    fmt::print("ranked     {} (--as-given: only where edges lead)\n", chosen.what);
  return std::move(chosen.graph);
}

Result evaluated(const Arguments& arguments, const Embedding& embedding) {
  Result result;
  const Graph edges = ranked_graph(arguments, load_list(arguments, arguments.edges.file, embedding),
                                   result.both_directions);
  Graph held_out(embedding.names(), {}, {});
  Graph validation = held_out;
  if (!arguments.held_out.empty()) held_out = load_list(arguments, arguments.held_out, embedding);
  if (!arguments.validation.empty())
    validation = load_list(arguments, arguments.validation, embedding);
  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar("rank", embedding.size(), "nodes");
  const auto progress = [&](std::size_t done, std::size_t total) { bar.update(done, total); };
  if (arguments.held_out.empty()) {
    embed::EvaluateOptions options;
    options.objects = arguments.objects;
    options.seed = arguments.seed;
    options.progress = progress;
    result.ranking = evaluate(embedding.half_space(), edges, options);
  } else {
    embed::LinkPredictionOptions options;
    options.negatives = arguments.negatives;
    options.seed = arguments.seed;
    options.progress = progress;
    result.prediction =
        link_prediction(embedding.half_space(), edges, validation, held_out, options);
    result.ranking = result.prediction->ranking;
  }
  bar.finish();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void print_result(const Arguments& arguments, const Result& result) {
  const RankingReport& r = result.ranking;
  fmt::print("objects    {} nodes with an edge{}, in {}\n", count_text(r.objects),
             arguments.held_out.empty() ? "" : " that was held out",
             output::seconds_text(result.seconds));
  fmt::print("pairs      {} edges\n", count_text(r.pairs));
  fmt::print("mean rank  {:.4g}\n", r.mean_rank);
  fmt::print("MAP        {:.4f}\n", r.mean_average_precision);
  fmt::print("hits@1     {:.4f}\n", r.hits_at_1);
  fmt::print("hits@10    {:.4f}\n", r.hits_at_10);
  if (!result.prediction) return;
  const embed::BinaryScores& c = result.prediction->held_out;
  fmt::print("threshold  distance {:.6g}: F1 {:.4f} on the {} edges\n",
             result.prediction->threshold, result.prediction->validation.f1(),
             arguments.validation.empty() ? "training" : "validation");
  fmt::print("precision  {:.4f} of {} edges and {} other pairs\n", c.precision(),
             count_text(c.positives()), count_text(c.negatives()));
  fmt::print("recall     {:.4f}\n", c.recall());
  fmt::print("F1         {:.4f}\n", c.f1());
}

nlohmann::ordered_json json_of(const embed::BinaryScores& c) {
  return {{"positives", c.positives()},
          {"negatives", c.negatives()},
          {"f1", c.f1()},
          {"precision", c.precision()},
          {"recall", c.recall()}};
}

std::string json_text(const Arguments& arguments, const Embedding& embedding,
                      const Result& result) {
  const RankingReport& r = result.ranking;
  nlohmann::ordered_json json{
      {"file", arguments.file},       {"space", embedding.space().text()},
      {"nodes", embedding.size()},    {"edges", arguments.edges.file},
      {"closure", arguments.closure}, {"both_directions", result.both_directions},
      {"objects", r.objects},         {"pairs", r.pairs},
      {"mean_rank", r.mean_rank},     {"map", r.mean_average_precision},
      {"hits_at_1", r.hits_at_1},     {"hits_at_10", r.hits_at_10}};
  if (result.prediction) {
    json["held_out"] = arguments.held_out;
    json["threshold"] = result.prediction->threshold;
    json["validation_classified"] = json_of(result.prediction->validation);
    json["held_out_classified"] = json_of(result.prediction->held_out);
  }
  // a path may have bytes that are not UTF-8
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void run(const Arguments& arguments) {
  if (arguments.held_out.empty() && !arguments.validation.empty())
    throw DomainError("--validation needs --held-out, for which it chooses the threshold");
  if (!arguments.held_out.empty() && arguments.objects > 0)
    throw DomainError(
        "--objects and --held-out cannot be combined: --objects draws from all nodes, but "
        "--held-out has few");
  check_different({arguments.file, arguments.edges.file, arguments.held_out, arguments.validation,
                   arguments.json});
  if (!arguments.json.empty()) check_writable(arguments.json);
  const Embedding embedding = Embedding::load(arguments.file);
  fmt::print("{}: {}, {} nodes\n", arguments.file, embedding.space().text(),
             count_text(embedding.size()));
  const Result result = evaluated(arguments, embedding);
  print_result(arguments, result);
  if (!arguments.json.empty())
    write_file_atomically(arguments.json, json_text(arguments, embedding, result));
}

void add_prediction_options(CLI::App& command, Arguments& arguments) {
  CLI::Option* const held_out =
      command
          .add_option(
              "--held-out", arguments.held_out,
              "Rank and classify the edges of this list, which was left out of training, among "
              "pairs without an edge in any list")
          ->type_name("FILE");
  command
      .add_option("--validation", arguments.validation,
                  "Choose the threshold of the distance on these edges [those of --edges]")
      ->type_name("FILE")
      ->needs(held_out);
  command
      .add_option("--negatives", arguments.negatives,
                  "Pairs without an edge for each that has one, for F1")
      ->needs(held_out)
      ->check(CLI::Range(1, 1000));
}

void describe_eval(CLI::App& command, Arguments& arguments) {
  command.description(
      "Say how well an embedding shows a graph: MAP and mean rank over all pairs, and for edges "
      "that were held out F1\n(docs/embed.md has the definitions).\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  command.footer(
      "Names in the lists are those of the embedding. An embedding of a hierarchy is usually "
      "ranked against its closure.\n\n"
      "Examples:\n"
      "  mct eval mammals.safetensors --edges data/wordnet_mammals.tsv\n"
      "  mct eval taxonomy.safetensors --edges taxonomy.csv --closure --objects 2000\n"
      "  mct eval nouns.safetensors --edges train.tsv --held-out test.tsv --validation valid.tsv");
  command.add_option("FILE", arguments.file, "The embedding (safetensors)")->required();
  add_edge_list(command, "--edges", arguments.edges)->required();
  command.add_flag("--closure", arguments.closure,
                   "Rank against the transitive closure of the edges");
  command.add_flag("--as-given", arguments.as_given,
                   "Count neighbours only where edges lead, also in a list that is no hierarchy");
  command.add_option("--objects", arguments.objects,
                     "Rank so many nodes, drawn from those with an edge; 0: all");
  command.add_option("--seed", arguments.seed, "Of the nodes and pairs that are drawn");
  add_prediction_options(command, arguments);
  command.add_option("--json", arguments.json, "Write the figures as JSON, too")->type_name("FILE");
}

const Command entry("eval", describe_eval, run);

}  // namespace
}  // namespace mct::cli::eval_command

// The results of a run.
#include "apps/mct/embed/results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/embed/export.hpp"
#include "mctensor/error.hpp"
#include "mctensor/pictures/picture.hpp"
#include "mctensor/tensor/npy.hpp"
#include "output/number_text.hpp"
#include "output/progress.hpp"

namespace mct::cli {
namespace {

using embed::Embedding;
using embed::RankingReport;

/// A page with more nodes is slow to load.
constexpr std::size_t most_nodes_of_a_page = 200'000;

/// With more nodes, ranking all nodes among all takes minutes.
constexpr std::size_t most_nodes_ranked = 100'000;
constexpr std::size_t sampled_objects = 10'000;

RankingReport ranked(const Embedding& embedding, const embed::Graph& graph,
                     std::optional<std::size_t> objects) {
  output::ProgressBar bar("rank", graph.node_count(), "nodes");
  embed::EvaluateOptions options;
  options.objects = objects.value_or(graph.node_count() > most_nodes_ranked ? sampled_objects : 0);
  options.progress = [&](std::size_t done, std::size_t total) { bar.update(done, total); };
  return evaluate(embedding.half_space(), graph, options);
}

/// Returns the message about the file. The format has no blanks in names, so writing may be
/// impossible; the other results must not be lost because of it.
std::string write_word_vectors(const std::filesystem::path& path, const Embedding& embedding,
                               const Tensor<double>& rows) {
  try {
    const std::size_t renamed = save_word_vectors(path, *embedding.names(), rows);
    return renamed > 0
               ? fmt::format("the same as word vectors ({} names with blanks, which became '_')",
                             renamed)
               : "the same as word vectors";
  } catch (const IoError& error) {
    return fmt::format("not there: {}", error.what());
  }
}

const char* text_of(RunEnd end) {
  switch (end) {
    case RunEnd::all_epochs:
      return "all epochs";
    case RunEnd::patience:
      return "the loss got no better";
    default:
      return "stopped";
  }
}

/// The loss of the last epoch; 0 if no epoch has ended.
double last_loss(const EmbedFiles& files) {
  const auto& lines = files.lines(0);
  return lines.empty() ? 0.0 : train::number_from(lines.back().at("loss"));
}

void write_metrics(const EmbedFiles& files, const embed::Trainer& trainer, const RunResult& result,
                   const RankingReport& report) {
  const nlohmann::ordered_json json{{"map", report.mean_average_precision},
                                    {"mean_rank", report.mean_rank},
                                    {"hits_at_1", report.hits_at_1},
                                    {"hits_at_10", report.hits_at_10},
                                    {"objects", report.objects},
                                    {"pairs", report.pairs},
                                    {"epochs", trainer.epochs()},
                                    {"loss", last_loss(files)},
                                    {"radius", trainer.radius()},
                                    {"end", text_of(result.end)}};
  write_file_atomically(files / result_file::metrics, json.dump(2) + "\n");
}

}  // namespace

void write_results(const embed::Trainer& trainer, const EmbedFiles& files, const RunResult& result,
                   std::optional<std::size_t> objects) {
  const Embedding embedding = trainer.embedding();
  embedding.save(files / result_file::embedding);
  const auto ball = ball_coordinates(embedding);
  save_npy(files / result_file::points, ball);
  embed::save_names(files / result_file::names, *embedding.names());
  const std::string vectors =
      write_word_vectors(files / result_file::word_vectors, embedding, ball);
  const RankingReport report = ranked(embedding, trainer.graph(), objects);
  write_metrics(files, trainer, result, report);
  const embed::EmbeddingSpace& space = embedding.space();
  const bool has_picture = space.dimensions == 2 && space.factors == 1;
  const bool has_page = has_picture && embedding.size() <= most_nodes_of_a_page;
  if (has_picture) write_disk_svg(files / result_file::picture, embedding, trainer.graph());
  if (has_page) write_disk_page(files / result_file::page, embedding, trainer.graph());

  fmt::print("trained   {} epochs ({}){}\n", trainer.epochs(), text_of(result.end),
             result.seconds > 0 ? fmt::format(", {} edges in {}, {:.3g} edges/s",
                                              output::count_text(std::uint64_t(result.examples)),
                                              output::seconds_text(result.seconds),
                                              double(result.examples) / result.seconds)
                                : std::string());
  if (trainer.epochs() > 0) fmt::print("loss      {:.4f}\n", last_loss(files));
  if (const std::string stayed = stayed_text(files.lines(0)); !stayed.empty())
    fmt::print("stayed    {}\n", stayed);
  if (space.radius != 1) fmt::print("radius    {:.6g}\n", space.radius);
  if (report.objects < report.sources)
    fmt::print("ranked    {} nodes, drawn from {} with an edge (--objects 0: all of them)\n",
               output::count_text(report.objects), output::count_text(report.sources));
  fmt::print("MAP       {:.4f}\nmean rank {:.4g}\n", report.mean_average_precision,
             report.mean_rank);
  fmt::print("\n{:<24} points and names, for mct eval, nearest, draw and export\n",
             "embedding.safetensors");
  fmt::print("{:<24} the points in the Poincaré ball for NumPy, and their names\n",
             "points.npy, names.txt");
  fmt::print("{:<24} {}\n", "points.tsv", vectors);
  fmt::print("{:<24} MAP, mean rank and hits\n", "metrics.json");
  if (has_picture) fmt::print("{:<24} a picture\n", "disk.svg");
  if (has_page) fmt::print("{:<24} a page in which it moves\n", "disk.html");
  fmt::print("{:<24} what this run was, and how it went\n", "run.json, log.jsonl");
}

}  // namespace mct::cli

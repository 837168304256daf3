// `mct draw`: pictures of embeddings.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/node_named.hpp"
#include "apps/mct/one_of.hpp"
#include "apps/mct/output_paths.hpp"
#include "apps/mct/ranges.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/split.hpp"
#include "mctensor/pictures/picture.hpp"
#include "output/number_text.hpp"
#include "output/progress.hpp"

namespace mct::cli::draw_command {
namespace {

using embed::Embedding;
using embed::Graph;
using embed::PictureOptions;
using output::count_text;
using output::ProgressBar;

struct DrawArguments {
  std::string file;
  EdgeList edges;
  std::string svg;
  std::string page;
  std::string centre;
  std::string beside;
  std::optional<double> spread;
  bool without_roots = false;
  bool cones = false;
  std::vector<std::string> cones_of;
  std::optional<embed::ConeKind> cone;
  std::string relation;
  double cone_size = 0;
  PictureOptions options;
};

/// Chooses the outputs: if none is named, an SVG beside the embedding. Checks all paths.
void check_paths(DrawArguments& arguments) {
  namespace fs = std::filesystem;
  if (arguments.svg.empty() && arguments.page.empty())
    arguments.svg = fs::path(arguments.file).filename().replace_extension(".svg").string();
  check_different({arguments.file, arguments.edges.file, arguments.svg, arguments.page});
  for (const std::string& path : {arguments.svg, arguments.page})
    if (!path.empty()) check_writable(path);
}

/// The nodes in the middle of the panels, and how directions are spread.
void choose_view(DrawArguments& arguments, const Embedding& embedding) {
  PictureOptions& options = arguments.options;
  if (!arguments.centre.empty()) options.centre = node_named(embedding, arguments.centre);
  if (!arguments.beside.empty()) {
    if (arguments.svg.empty())
      throw DomainError(
          "--beside needs -o FILE: a second panel is drawn in the SVG only, not in the page");
    options.beside = node_named(embedding, arguments.beside);
  }
  if (!arguments.spread) return;
  if (options.radial == embed::RadialScale::disk)
    throw DomainError(
        "--spread needs --radial distance: on the disk the directions of points are fixed");
  options.spread = *arguments.spread;
}

/// Takes the cones from the options or, without them, from the training.
void choose_cones(DrawArguments& arguments, const Embedding& embedding) {
  PictureOptions& options = arguments.options;
  if (arguments.svg.empty())
    throw DomainError("cones need -o FILE: they are drawn in the SVG only, not in the page");
  if (arguments.cone) {
    options.cones = cones_in(embedding.space(), *arguments.cone, arguments.cone_size);
  } else {
    options.cones = noted_cones(embedding, arguments.relation);
    if (const auto names = noted_relations(embedding); !options.cones && !names.empty())
      throw DomainError(fmt::format(
          "'{}' has cones of the relations {}{}", arguments.file, fmt::join(names, ", "),
          arguments.relation.empty() ? "; choose one with --relation NAME"
                                     : fmt::format(", not of '{}'", arguments.relation)));
  }
  if (!options.cones)
    throw DomainError(
        fmt::format("'{}' does not say which cones its points were trained for; give --cone KIND "
                    "and --cone-size",
                    arguments.file));
  for (const std::string& name : arguments.cones_of)
    options.cone_nodes.push_back(node_named(embedding, name));
  fmt::print("cones: {}\n", options.cones->text());
}

void draw_command(DrawArguments arguments) {
  check_paths(arguments);
  const Embedding embedding = Embedding::load(arguments.file);
  fmt::print("{}: {} nodes, {}\n", arguments.file, count_text(embedding.size()),
             embedding.space().text());
  choose_view(arguments, embedding);
  if (arguments.cones || arguments.cone || !arguments.cones_of.empty() ||
      !arguments.relation.empty())
    choose_cones(arguments, embedding);
  Graph edges = arguments.edges.file.empty() ? Graph() : load_graph(arguments.edges);
  if (arguments.without_roots) edges = without_roots(edges);
  ProgressBar bar("draw", embedding.size(), "nodes");
  arguments.options.progress = [&](std::size_t done) { bar.update(done, embedding.size()); };
  if (!arguments.svg.empty()) {
    const auto drawn = embed::write_disk_svg(arguments.svg, embedding, edges, arguments.options);
    bar.finish();
    fmt::print("{}: {} nodes, {} edges and {} labels are seen\n", arguments.svg,
               count_text(drawn.nodes), count_text(drawn.edges), count_text(drawn.labels));
  }
  if (!arguments.page.empty()) {
    embed::write_disk_page(arguments.page, embedding, edges, arguments.options);
    bar.finish();
    std::error_code unknown;  // a pipe has no size, for example
    const auto bytes = std::filesystem::file_size(arguments.page, unknown);
    if (!unknown) fmt::print("{}: {} bytes\n", arguments.page, count_text(bytes));
  }
}

void add_cone_options(CLI::App& command, DrawArguments& arguments) {
  command.add_flag("--cones", arguments.cones,
                   "Draw the cones of the subtrees' roots behind the SVG (without edges, of the "
                   "most prominent nodes)");
  command.add_option("--cones-of", arguments.cones_of, "Draw those of these nodes, with commas")
      ->type_name("NAME,...")
      ->delimiter(',');
  CLI::Option* const kind =
      command
          .add_option("--cone", arguments.cone,
                      "umbral, penumbral or entailment [what mct cones trained the file for]")
          ->type_name("KIND")
          ->transform(one_of(embed::cone_kind_names));
  command
      .add_option("--relation", arguments.relation,
                  "Which relation's cones, of a file of mct cones --relation")
      ->type_name("NAME")
      ->excludes(kind);
  CLI::Option* const size =
      command
          .add_option("--cone-size", arguments.cone_size,
                      "Radius of the balls, light or constant: --size of mct cones")
          ->needs(kind);
  kind->needs(size);
}

void describe_draw(CLI::App& command, DrawArguments& arguments) {
  command.description(
      "Draw an embedding in the plane, seen from one of its nodes: an SVG, a page that moves, or "
      "both.\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  command.footer(
      "The edges may be the closure from which the embedding was made: the basic ones are drawn.\n"
      "Every node can be the centre, however far it is from the others: the picture then shows "
      "its surroundings. A point is drawn as far from the middle as its distance is; --radial disk "
      "draws the Poincar\xC3\xA9 disk, at whose edge most nodes lie.\n\n"
      "Examples:\n"
      "  mct draw mammals.safetensors --edges mammals.tsv -o mammals.svg\n"
      "  mct draw mammals.safetensors --edges mammals.tsv --centre dog.n.01 -o dog.svg\n"
      "  mct draw mammals.safetensors --edges mammals.tsv --beside carnivore.n.01 -o two.svg\n"
      "  mct draw runs/90-0.safetensors --edges mammals.tsv --without-roots --half-plane --cones "
      "-o cones.svg\n"
      "  mct draw nouns.safetensors --edges nouns.tsv.gz --page nouns.html");
  command.add_option("FILE", arguments.file, "The embedding, a safetensors file of mct embed")
      ->required();
  CLI::Option* const edges = add_edge_list(command, "--edges", arguments.edges);
  command
      .add_flag("--without-roots", arguments.without_roots,
                "Leave out nodes of the edges that nothing is above, as mct cones does")
      ->needs(edges);
  command.add_option("-o,--out", arguments.svg, "The SVG [FILE with .svg, if there is no --page]")
      ->type_name("FILE");
  command.add_option("--page", arguments.page, "One HTML file that needs no network")
      ->type_name("FILE");
  command
      .add_option("--centre,--center", arguments.centre,
                  "The node in the middle [the root of the largest tree; without edges, the node "
                  "in the middle of all]")
      ->type_name("NAME");
  PictureOptions& options = arguments.options;
  CLI::Option* const beside =
      command
          .add_option("--beside", arguments.beside,
                      "A second panel of the SVG, with this node in the middle; by distance it "
                      "shows what is below and above the node")
          ->type_name("NAME");
  command
      .add_option(
          "--radial", options.radial,
          "How far from the middle a point is drawn: distance, as far as it is, or disk, as "
          "in the Poincar\xC3\xA9 disk")
      ->transform(one_of(embed::radial_scale_names));
  CLI::Option* const spread =
      command
          .add_option(
              "--spread", arguments.spread,
              "By distance: 0, directions as they are, to 1, an equal angle for every node, "
              "in the order of directions [0.5]")
          ->check(between(0.0, 1.0));
  command.add_option("--labels", options.labels, "Names in each panel of the SVG, at most")
      ->check(CLI::Range(0, 100'000));
  command.add_option("--size", options.size, "Width of a panel of the SVG in pixels")
      ->check(CLI::Range(200, 10'000));
  command.add_option("--subtrees", options.subtrees, "Large subtrees with a colour of their own")
      ->check(CLI::Range(0, PictureOptions::most_subtrees));
  command
      .add_flag("--half-plane", options.half_plane,
                "The half-plane in the SVG instead, with scales that fit all nodes")
      ->excludes(beside)
      ->excludes(spread);
  add_cone_options(command, arguments);
}

const Command entry("draw", describe_draw, draw_command);

}  // namespace
}  // namespace mct::cli::draw_command

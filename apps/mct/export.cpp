// `mct export`: an embedding in formats of other programs.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <string>

#include "apps/mct/command.hpp"
#include "apps/mct/compress.hpp"
#include "apps/mct/output_paths.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/embed/export.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/npy.hpp"
#include "output/number_text.hpp"

namespace mct::cli::export_command {
namespace {

using embed::Embedding;
using output::count_text;

struct Arguments {
  std::string file, npy, word2vec, names, tiles;
  int tile_bits = 64;
  bool model_coordinates = false;
};

void run(const Arguments& arguments) {
  const auto bits = geometry::coordinate_bits_from(arguments.tile_bits);
  const auto outputs = {arguments.npy, arguments.word2vec, arguments.names, arguments.tiles};
  if (std::all_of(outputs.begin(), outputs.end(), [](const auto& path) { return path.empty(); }))
    throw DomainError("nothing to write; give --npy, --word2vec, --names or --tiles");
  check_different(
      {arguments.file, arguments.npy, arguments.word2vec, arguments.names, arguments.tiles});
  for (const std::string& path : outputs)
    if (!path.empty()) check_writable(path);
  const Embedding embedding = Embedding::load(arguments.file);
  if (!arguments.npy.empty() || !arguments.word2vec.empty()) {
    const Tensor<double> rows = arguments.model_coordinates ? embed::model_coordinates(embedding)
                                                            : embed::ball_coordinates(embedding);
    const std::string what =
        fmt::format("{} rows of {} coordinates of {}", count_text(embedding.size()), rows.size(1),
                    arguments.model_coordinates ? embedding.space().text() : "the Poincaré ball");
    if (!arguments.npy.empty()) {
      save_npy(arguments.npy, rows);
      fmt::print("{}: {}\n", arguments.npy, what);
    }
    if (!arguments.word2vec.empty()) {
      const std::size_t changed = save_word_vectors(arguments.word2vec, *embedding.names(), rows);
      fmt::print("{}: {}", arguments.word2vec, what);
      fmt::print("{}\n", changed == 0
                             ? ""
                             : fmt::format("; blanks became _ in {} names", count_text(changed)));
    }
  }
  if (!arguments.tiles.empty()) {
    const compress::Embedding points = compress::points_of(embedding);
    compress::save_compressed(arguments.tiles,
                              compress::compressed(points, geometry::TileEncoding::front, bits),
                              points.size());
  }
  if (arguments.names.empty()) return;
  embed::save_names(arguments.names, *embedding.names());
  fmt::print("{}: {} names\n", arguments.names, count_text(embedding.size()));
}

void describe_export(CLI::App& command, Arguments& arguments) {
  command.description(
      "Write an embedding as a matrix of doubles (NumPy), as word vectors (gensim), in compressed "
      "tiles, or its names alone.\nExit code: 0 done, 2 bad usage, unusable input or a file that "
      "cannot be written.");
  command.footer(
      "Rows are in the order of the embedding. The coordinates are those of the Poincaré ball, one "
      "double each, which\nends at distances of about 37 from the origin; --model-coordinates "
      "gives those of the model itself, their\ncomponents added up. All digits stay in FILE, a "
      "safetensors file that other programs read, too.\n\n"
      "Examples:\n"
      "  mct export mammals.safetensors --npy points.npy --names names.txt\n"
      "  mct export mammals.safetensors --word2vec mammals.txt\n"
      "  KeyedVectors.load_word2vec_format('mammals.txt')   # gensim");
  command.add_option("FILE", arguments.file, "The embedding (safetensors)")->required();
  command.add_option("--npy", arguments.npy, "The points as an array [rows, columns]")
      ->type_name("FILE");
  command
      .add_option("--word2vec", arguments.word2vec,
                  "Names and points as text in word2vec's format; a blank in a name becomes _")
      ->type_name("FILE");
  command.add_option("--names", arguments.names, "The names, one a line")->type_name("FILE");
  CLI::Option* const tiles =
      command
          .add_option(
              "--tiles", arguments.tiles,
              "Points of the plane in few bits, as mct compress writes them: mct decompress "
              "reads them")
          ->type_name("FILE");
  command
      .add_option("--tile-bits", arguments.tile_bits,
                  "Of a coordinate within a tile: 64, 32, 16 or 0")
      ->needs(tiles);
  command.add_flag("--model-coordinates", arguments.model_coordinates,
                   "Coordinates of the embedding's own model");
}

const Command entry("export", describe_export, run);

}  // namespace
}  // namespace mct::cli::export_command

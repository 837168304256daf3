// `mct compress` and `mct decompress`: embeddings in the plane in few bits.
#include "apps/mct/compress.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/output_paths.hpp"
#include "apps/mct/ranges.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/embed/sarkar.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/wordnet.hpp"
#include "output/progress.hpp"

namespace mct::cli::compress_command {

namespace {

namespace fs = std::filesystem;
using namespace compress;  // NOLINT(google-build-using-namespace)

constexpr double default_epsilon = 0.3;
// with longer edges, tiles would have longer words than can be written, after much work
constexpr double longest_edge = 10000;
constexpr double farthest_node = 400000;

struct CompressArguments {
  std::string points;
  std::string tree;
  std::string wordnet;
  bool use_wordnet = false;
  std::string model = "ball";
  std::optional<double> epsilon;
  std::optional<double> edge_length;
  std::string encoding = "front";
  int bits = 64;
  std::string out;
  std::string names;
  bool table = false;
};

struct Source {
  Embedding embedding;
  std::vector<std::string> names;  // of a tree's nodes
  double original_bytes = 0;
};

/// The length of edges that was asked for. `option` gets the option that asked.
double wanted_edge_length(const CompressArguments& arguments, const embed::Tree& tree,
                          std::string& option) {
  if (arguments.edge_length) {
    option = fmt::format("--edge-length {}", *arguments.edge_length);
    if (!(*arguments.edge_length > 0)) throw DomainError(option + " is not above 0");
    return *arguments.edge_length;
  }
  const double epsilon = arguments.epsilon.value_or(default_epsilon);
  option = fmt::format("--epsilon {}", epsilon);
  if (!(epsilon > 0) || !std::isfinite(epsilon))
    throw DomainError(option + " is not a finite number above 0");
  return embed::sarkar_edge_length(tree, epsilon);
}

double edge_length(const CompressArguments& arguments, const embed::Tree& tree) {
  std::string option;
  const double length = wanted_edge_length(arguments, tree, option);
  if (!(length <= longest_edge))
    throw DomainError(fmt::format("{}: edges get the length {:.6g}; at most {} is possible", option,
                                  length, longest_edge));
  if (const double far = length * tree.largest_depth(); !(far <= farthest_node))
    throw DomainError(
        fmt::format("{}: nodes get a distance of {:.6g} from the root; at most {} is possible",
                    option, far, farthest_node));
  return length;
}

Source load(const CompressArguments& arguments) {
  const int given = (arguments.points.empty() ? 0 : 1) + (arguments.tree.empty() ? 0 : 1) +
                    (arguments.use_wordnet ? 1 : 0);
  if (given != 1)
    throw DomainError(
        "needs one of FILE, --tree FILE and --wordnet [DIR]; see mct compress --help");
  Source source;
  if (!arguments.points.empty()) {
    source.embedding = read_points(arguments.points, storage_from(arguments.model));
    source.original_bytes = double(fs::file_size(arguments.points));
    return source;
  }
  const embed::Tree tree =
      arguments.use_wordnet
          ? embed::read_wordnet_nouns(arguments.wordnet.empty() ? embed::debian_wordnet
                                                                : arguments.wordnet.c_str())
          : embed::read_edge_list(arguments.tree);
  const double length = edge_length(arguments, tree);
  fmt::print("tree of {} nodes, depth {}, up to {} edges at a node; edges of length {:.6g}\n",
             tree.size(), tree.largest_depth(), tree.largest_degree(), length);
  source.embedding = embed_tree(tree, length);
  for (std::size_t i = 0; i < tree.size(); ++i) source.names.push_back(tree.name(i));
  return source;
}

void write_compressed(const CompressArguments& arguments, const Source& source) {
  const auto encoding = geometry::tile_encoding_from(arguments.encoding);
  const auto bits = geometry::coordinate_bits_from(arguments.bits);
  const Compressed result = compressed(source.embedding, encoding, bits);
  save_compressed(arguments.out, result, source.embedding.size());
  const auto& file = result.file;
  const TextSize text = text_at_error(source.embedding, result.errors.mean_square);
  fmt::print("{:.2f} % of decimal text with the same error ({} decimals, {:.0f} bytes)\n",
             100 * double(file.size()) / text.bytes, text.decimals, text.bytes);
  if (source.original_bytes > 0)
    fmt::print("{:.2f} % of the original file ({:.0f} bytes)\n",
               100 * double(file.size()) / source.original_bytes, source.original_bytes);
}

void write_names(const CompressArguments& arguments, const Source& source) {
  std::string text;
  for (const std::string& name : source.names) text += name + '\n';
  mct::write_file_atomically(arguments.names, text);
}

void compress_command(const CompressArguments& arguments) {
  if (arguments.out.empty() && !arguments.table && arguments.names.empty())
    throw DomainError("nothing to do; give --out FILE, --table or --names FILE");
  // errors in the arguments must be found before the work
  geometry::tile_encoding_from(arguments.encoding);
  geometry::coordinate_bits_from(arguments.bits);
  storage_from(arguments.model);
  if (!arguments.names.empty() && !arguments.points.empty())
    throw DomainError("--names: only the nodes of a tree have names");
  check_different({arguments.points, arguments.tree, arguments.out, arguments.names});
  for (const std::string& path : {arguments.out, arguments.names})
    if (!path.empty()) mct::check_writable(path);
  const Source source = load(arguments);
  if (!arguments.out.empty()) write_compressed(arguments, source);
  if (!arguments.names.empty()) write_names(arguments, source);
  if (arguments.table) fmt::print("{}", format_table(source.embedding, source.original_bytes));
}

struct DecompressArguments {
  std::string file;
  std::string out;
  std::string model = "ball";
  int decimals = 0;
  std::optional<std::uint64_t> most_digits;
};

std::vector<LTilingPoint<double>> decompressed(const std::vector<std::uint8_t>& bytes) {
  const std::uint64_t total = geometry::compressed_point_count(bytes);
  output::ProgressBar bar("decompress", total, "points");
  return geometry::decompress_points(bytes, [&](std::size_t done) { bar.update(done, total); });
}

void decompress_command(const DecompressArguments& arguments) {
  const PointStorage model = storage_from(arguments.model);
  check_different({arguments.file, arguments.out});
  mct::check_writable(arguments.out);
  const InputFile input(arguments.file);
  std::vector<std::uint8_t> bytes(std::size_t(input.size()));
  input.read(0, bytes.data(), bytes.size());
  std::vector<LTilingPoint<double>> points;
  try {
    points = decompressed(bytes);
  } catch (const Error& error) {
    throw IoError(input.name() + ": " + error.what());
  }
  if (points.empty()) throw IoError(input.name() + " has no points");
  const std::uint64_t most = arguments.most_digits.value_or(usual_digits(input.size()));
  if (const std::uint64_t digits = digits_of_text(points, arguments.decimals); digits > most)
    throw IoError(
        fmt::format("{}: the text of {} points takes {} digits, more than the {} that a file of "
                    "this size may ask for; --most-digits allows them",
                    input.name(), points.size(), digits, most));
  write_points(arguments.out, points, model, arguments.decimals);
  fmt::print("{}: {} points\n", arguments.out, points.size());
}

void describe_compress(CLI::App& command, CompressArguments& arguments) {
  command.description(
      "Store an embedding in the hyperbolic plane in few bits: exact tiles of the L-tiling and\n"
      "rounded coordinates within them (docs/tilings.md).\n"
      "Exit code: 0 done, 2 bad usage, unusable input or a file that cannot be written.");
  command.footer(
      "Examples:\n"
      "  mct compress points.csv --out points.mct              points of the unit disk, 'x,y' a "
      "line\n"
      "  mct compress points.npy --bits 32 --out points.mct    NumPy, float64, shape (n, 2)\n"
      "  mct compress --tree edges.txt --out tree.mct          'parent child' a line, by Sarkar\n"
      "  mct compress --wordnet --table                        all encodings on WordNet's nouns");
  CLI::Option* file = command.add_option(
      "FILE", arguments.points,
      fmt::format("Points: text with two decimal numbers a line, of up to {} decimals, or .npy",
                  most_decimals));
  command.add_option("--tree", arguments.tree,
                     "Embed the tree of this file by Sarkar's construction instead");
  command
      .add_option_function<std::vector<std::string>>(
          "--wordnet",
          [&arguments](const std::vector<std::string>& given) {
            arguments.use_wordnet = true;
            if (!given.empty()) arguments.wordnet = given[0];
          },
          fmt::format("Embed WordNet's noun tree, from data.noun in DIR [{}]",
                      embed::debian_wordnet))
      ->expected(0, 1)
      ->type_name("[DIR]");
  command.add_option("--model", arguments.model, "Coordinates of FILE: ball or half-space");
  CLI::Option* epsilon = command.add_option(
      "--epsilon", arguments.epsilon,
      fmt::format("Distances of the tree are kept within a factor 1 + epsilon [{}]",
                  default_epsilon));
  epsilon->excludes(file);
  command
      .add_option("--edge-length", arguments.edge_length,
                  fmt::format("Length of the tree's edges instead, up to {}", longest_edge))
      ->excludes(epsilon)
      ->excludes(file);
  command.add_option("--encoding", arguments.encoding,
                     "Of tiles: matrix, matrix-vlq, entries, entries-vlq, order, vbw, front");
  command.add_option("--bits", arguments.bits, "Of a coordinate within a tile: 64, 32, 16 or 0");
  command.add_option("--out", arguments.out, "The compressed file");
  command.add_option("--names", arguments.names,
                     "Write the names of the tree's nodes, one a line, in the order of the points");
  command.add_flag("--table", arguments.table, "Print size and error of every encoding");
}

void describe_decompress(CLI::App& command, DecompressArguments& arguments) {
  command.description(
      "Write the points of a compressed embedding as text, 'x,y' a line.\n"
      "Exit code: 0 done, 2 bad usage, a damaged file or one that cannot be written.");
  command.footer(
      "Examples:\n"
      "  mct decompress points.mct --out points.csv\n"
      "  mct decompress points.mct --model half-space --decimals 40 --out points.csv");
  command.add_option("FILE", arguments.file, "What mct compress wrote")->required();
  command.add_option("--out", arguments.out, "The text file")->required();
  command.add_option("--model", arguments.model, "Coordinates: ball or half-space");
  command
      .add_option("--decimals", arguments.decimals,
                  "Decimals of every number [as many as a point needs to be right to 1e-17]")
      ->check(CLI::Range(1, most_decimals));
  command
      .add_option("--most-digits", arguments.most_digits,
                  fmt::format("Stop if the text would take more digits [{} and 256 for each byte "
                              "of FILE]",
                              usual_digits(0)))
      ->check(positive());
}

const Command compress_entry("compress", describe_compress, compress_command);
const Command decompress_entry("decompress", describe_decompress, decompress_command);

}  // namespace
}  // namespace mct::cli::compress_command

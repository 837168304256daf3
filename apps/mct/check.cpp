// `mct check`: how many digits of a result in double are right.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "apps/mct/check_results.hpp"
#include "apps/mct/command.hpp"
#include "apps/mct/one_of.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/io.hpp"
#include "output/progress.hpp"

namespace mct::cli::check_command {
namespace {

/// The models that are compiled for f64x3.
constexpr Names<geometry::Model, 3> models{
    {{geometry::Model::ball, embed::name_of(embed::PointStorage::ball)},
     {geometry::Model::half_space, embed::name_of(embed::PointStorage::half_space)},
     {geometry::Model::lorentz, embed::name_of(embed::PointStorage::lorentz)}}};
/// The digits of a result whose error is 2^-52 of its size: one to two ulps.
constexpr double nearly_all_digits = 15.65;

struct Arguments {
  std::string operation, result, csv;
  std::vector<std::string> files;
  std::optional<geometry::Model> model;
  double radius = 1;
  std::int64_t worst = 10;
  bool list = false;
};

void print_list() {
  std::string one, two;
  for (const PlainOperation& operation : plain_operations())
    (operation.operands == 1 ? one : two) += ' ' + operation.name;
  fmt::print("of one operand:{}\nof two operands:{}\n", one, two);
  for (const auto& [model, name] : models)
    fmt::print("--model {}: {}\n", name, fmt::join(model_operations(model), " "));
}

/// Number i of a result, with more digits than both components have.
std::string better_text(const Tensor<double, 2>& x, std::int64_t i) {
  return to_string(Expansion<double, 2>::from_limbs(x.plane(0).data()[i], x.plane(1).data()[i]),
                   36);
}
/// The numbers of a row between blanks: `text` writes the number of an index.
template <class Text>
std::string row_text(const Results& results, std::int64_t row, const Text& text) {
  std::string r;
  for (std::int64_t i = 0; i < results.width; ++i)
    r += (i > 0 ? " " : "") + text(row * results.width + i);
  return r;
}
std::string plain_text(const Results& results, std::int64_t row) {
  return row_text(results, row,
                  [&](std::int64_t i) { return number_text(results.plain.data()[i]); });
}
std::string better_text(const Results& results, std::int64_t row) {
  return row_text(results, row, [&](std::int64_t i) { return better_text(results.better, i); });
}

/// How many results have a number of right digits, as bars from the worst to the best.
void print_bars(const std::vector<double>& sorted) {
  constexpr std::size_t bars = 9;
  constexpr double longest = 50;
  const auto bar_of = [](double d) { return std::min(bars - 1, std::size_t(d / 2)); };
  std::array<std::int64_t, bars> count{};
  for (const double d : sorted) ++count[bar_of(d)];
  const std::int64_t most = *std::max_element(count.begin(), count.end());
  for (std::size_t i = bar_of(sorted.front()); i <= bar_of(sorted.back()); ++i) {
    const auto length = std::size_t(std::ceil(longest * double(count[i]) / double(most)));
    fmt::print("  {:>2} to {:<2} digits {:>9} {}\n", 2 * i, i + 1 == bars ? 17 : 2 * i + 2,
               count[i], std::string(length, '#'));
  }
}

void print_summary(const Results& results, const std::vector<double>& digits) {
  std::vector<double> known;
  std::copy_if(digits.begin(), digits.end(), std::back_inserter(known),
               [](double d) { return !std::isnan(d); });
  const std::size_t unknown = digits.size() - known.size();
  if (!known.empty()) {
    std::sort(known.begin(), known.end());
    const auto rounded =
        std::count_if(known.begin(), known.end(), [](double d) { return d >= nearly_all_digits; });
    fmt::print(
        "right digits: worst {:.1f}, median {:.1f}; {} of {} results with an error of at most "
        "2^-52\n",
        known.front(), known[known.size() / 2], rounded, digits.size());
    print_bars(known);
  }
  if (unknown > 0)
    fmt::print("{} results where nothing is known: f64x2 is not finite, or nothing encloses it\n",
               unknown);
  if (!known.empty())
    fmt::print("{}\n", results.certified
                           ? "certain: each exact result is enclosed (docs/certified.md)"
                           : "estimated: results in f64x2 beside f64x3; there is no enclosure of "
                             "this operation");
}

void print_worst(const Results& results, const std::vector<double>& digits, std::int64_t count) {
  std::vector<std::int64_t> order(digits.size());
  std::iota(order.begin(), order.end(), std::int64_t(0));
  // results of which nothing is known come last
  const auto place = [&](std::int64_t i) {
    const double d = digits[std::size_t(i)];
    return std::isnan(d) ? most_digits + 1 : d;
  };
  count = std::min(count, std::int64_t(order.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      return place(a) != place(b) ? place(a) < place(b) : a < b;
                    });
  if (count > 0) fmt::print("\n    index  digits  in double, below it in f64x2\n");
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t i = order[std::size_t(k)];
    const double d = digits[std::size_t(i)];
    fmt::print("{:>9}  {:>6}  {}\n{:>19}{}\n", i, std::isnan(d) ? "?" : fmt::format("{:.1f}", d),
               plain_text(results, i), "", better_text(results, i));
  }
}

void write_csv(const std::string& path, const Results& results, const std::vector<double>& digits) {
  output::ProgressBar bar("write", std::uint64_t(results.rows()), "results");
  AtomicFile file(path);
  const auto write = [&](const std::string& line) { file.write(line.data(), line.size()); };
  write(fmt::format("index,right digits,in double,in f64x2,{}\n",
                    results.certified ? "radius" : "distance from f64x3"));
  // for the rounding to three digits here, and the rounding of the text in f64x2
  constexpr double upward = 1.01;
  const auto rows = std::uint64_t(results.rows());
  for (std::int64_t i = 0; i < results.rows(); ++i) {
    write(fmt::format("{},{},{},{},{}\n", i, number_text(digits[std::size_t(i)], 4),
                      plain_text(results, i), better_text(results, i),
                      row_text(results, i, [&](std::int64_t at) {
                        return number_text(results.radius.data()[at] * upward, 3);
                      })));
    bar.update(std::uint64_t(i) + 1, rows);
  }
  bar.finish();
  file.commit();
}

/// The sizes that are not 1: a column of numbers counts as a vector.
Shape essential(Shape shape) {
  std::erase(shape, 1);
  return shape;
}

void run(const Arguments& arguments) {
  if (arguments.list) {
    print_list();
    return;
  }
  if (arguments.operation.empty())
    throw DomainError("no operation is given; mct check --list lists the operations");
  std::vector<Tensor<double>> operands;
  for (const std::string& file : arguments.files) operands.push_back(read_operand(file));
  Results results = arguments.model ? check_in_model(arguments.operation, *arguments.model,
                                                     arguments.radius, operands)
                                    : check_plain(arguments.operation, operands);
  if (!arguments.result.empty()) {
    const Tensor<double> given = read_operand(arguments.result);
    if (essential(given.shape()) != essential(results.plain.shape()))
      throw ShapeError(fmt::format("'{}' has shape {}, but the result of {} has shape {}",
                                   arguments.result, to_string(given.shape()), arguments.operation,
                                   to_string(results.plain.shape())));
    results.plain = given.contiguous();
  }
  const std::vector<double> digits = right_digits(results);
  fmt::print("{}{}: {} results of shape {}\n", arguments.operation,
             arguments.model ? fmt::format(" in {} of radius {}", models.of(*arguments.model),
                                           number_text(arguments.radius))
                             : "",
             results.rows(), to_string(results.plain.shape()));
  print_summary(results, digits);
  print_worst(results, digits, arguments.worst);
  if (!arguments.csv.empty()) write_csv(arguments.csv, results, digits);
}

void describe_check(CLI::App& command, Arguments& arguments) {
  command.description(
      "Say how many digits of a result in double are right, worst cases first: ours, or with "
      "--result that of\nanother program. Exit code: 0 done, 2 bad usage or unusable "
      "input.");
  command.footer(
      "An operand is a file: .npy of real numbers, or text with as many decimal numbers on each "
      "line (between blanks,\ntabs, commas or semicolons; # begins a comment), a vector where it "
      "is one. Decimal numbers are rounded to double, and\nthen count as exact. Operands "
      "broadcast. Of geometry a line is a point or a vector, and the digits of a point are\nthose "
      "of its largest coordinate. Enclosures are certain as far as the stated bounds of f64x2 are "
      "(docs/certified.md);\nwhere there are none, the result in f64x3 tells. A 0 is right if the "
      "exact result is less than 64 times the smallest subnormal number.\n\n"
      "Examples:\n"
      "  mct check dist x.csv y.csv --model ball\n"
      "  mct check dist x.npy y.npy --model ball --result geoopt.npy\n"
      "  mct check mm a.npy b.npy --csv digits.csv\n"
      "  mct check log1p x.txt --worst 3");
  command.add_option("OPERATION", arguments.operation, "What is computed; --list lists all");
  command.add_option("FILE", arguments.files, "The operands, in their order");
  CLI::Option* const model =
      command.add_option("--model", arguments.model, "The model of geometry");
  model->transform(one_of(models));
  command.add_option("--radius", arguments.radius, "The radius of the model")->needs(model);
  command.add_option("--result", arguments.result,
                     "The result of another program: check this one instead of ours in double");
  command.add_option("--worst", arguments.worst, "Show so many of the worst results")
      ->check(CLI::Range(std::int64_t(0), std::int64_t(1000000)));
  command.add_option("--csv", arguments.csv, "Write the digits of every result here");
  command.add_flag("--list", arguments.list, "List the operations");
}

const Command entry("check", describe_check, run);

}  // namespace
}  // namespace mct::cli::check_command

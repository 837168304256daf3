// Writes the tables of the elementary functions: mct_constants DIRECTORY.
//
// Every constant is computed by MPFR with several times the bits that are kept, then cut into
// limbs: each is the rest rounded to nearest. A test runs this program again and compares.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "validation/constants/formulas.hpp"
#include "validation/constants/plain.hpp"

namespace mct::validation {
namespace {

/// A table as text: rows of limbs, once for double and once for float.
class TableText {
 public:
  /// `limbs` of each row are kept.
  TableText(std::string name, std::string meaning, int limbs)
      : name_(std::move(name)), meaning_(std::move(meaning)), limbs_(limbs) {}

  void add(const Number& value) {
    rows_[0].push_back(row<double>(value));
    rows_[1].push_back(row<float>(value));
  }
  /// A row of one type only, for tables whose rows depend on the format.
  template <class T>
  void add_for(const Number& value) {
    rows_[sizeof(T) == 4].push_back(row<T>(value));
  }

  /// Coefficients and single constants: read at indices that are constant expressions.
  std::string constants() const {
    std::string out = fmt::format("/// {}\nstruct {} {{\n", meaning_, name_);
    out += fmt::format("  static constexpr int count = {};\n", rows_[0].size());
    out += fmt::format("  static constexpr int limbs = {};\n", limbs_);
    out += "  template <class T>\n  static constexpr T value[count][limbs] = {};\n};\n";
    for (int type = 0; type < 2; ++type)
      out += fmt::format(
          "template <>\ninline constexpr {0} {1}::value<{0}>[{1}::count][{1}::limbs] = "
          "{{\n{2}}};\n",
          type_names[type], name_, joined(type));
    return out + '\n';
  }

  /// Tables that are read at computed indices: static within a function, because device code can
  /// read such a table and not one at namespace scope.
  std::string lookup() const {
    std::string out = fmt::format("/// {}\ntemplate <class T>\nstruct {};\n", meaning_, name_);
    for (int type = 0; type < 2; ++type)
      out += fmt::format(
          "template <>\nstruct {0}<{1}> {{\n  static constexpr int count = {2};\n"
          "  static constexpr int limbs = {3};\n"
          "  MCT_HD static const {1}* row(int index) {{\n"
          "    static constexpr {1} data[count][limbs] = {{\n{4}}};\n"
          "    return data[index];\n  }}\n}};\n",
          name_, type_names[type], rows_[type].size(), limbs_, joined(type));
    return out + '\n';
  }

 private:
  static constexpr const char* type_names[2] = {"double", "float"};

  template <class T>
  std::string row(const Number& value) const {
    std::string out = "{";
    Number rest = value;
    for (int i = 0; i < limbs_; ++i) {
      const T limb = take_limb<T>(rest);
      out += fmt::format("{}{:a}{}", i > 0 ? ", " : "", limb, sizeof(T) == 4 ? "F" : "");
    }
    return out + "},\n";
  }

  std::string joined(int type) const {
    std::string out;
    for (const std::string& row : rows_[type]) out += row;
    return out;
  }

  std::string name_, meaning_;
  int limbs_;
  std::vector<std::string> rows_[2];
};

constexpr int kept = 5;        // limbs: one more than an expansion has
constexpr int reduction = 11;  // limbs of what trigonometric arguments are reduced by

TableText scalar(const char* name, const char* meaning, const Number& value, int limbs = kept) {
  TableText table(name, meaning, limbs);
  table.add(value);
  return table;
}

template <class Formula>
TableText series(const char* name, const char* meaning, int count, Formula formula) {
  TableText table(name, meaning, kept);
  for (int i = 0; i < count; ++i) table.add(formula(i));
  return table;
}

/// A table over the indices 362 ... 725 of the logarithm: sqrt(1/2) to sqrt(2) in steps of 1/512.
template <class Formula>
std::string log_series(const char* name, const char* meaning, int limbs, Formula formula) {
  TableText table(name, meaning, limbs);
  for (int i = 362; i <= 725; ++i) table.add(formula(i));
  return table.lookup();
}

/// Floats are kept times 2^88, so that the lower limbs do not underflow.
const Number float_shift = pow(Number(2), 88);

TableText pi_over_64_limbs() {
  TableText table("PiOver64Limbs", "pi / 64; for float times 2^88.", reduction);
  table.add_for<double>(pi() / 64);
  table.add_for<float>(pi() / 64 * float_shift);
  return table;
}

/// 2^e modulo 2 pi for e = 0, chunk, 2 chunk, ...
TableText powers_modulo_two_pi() {
  TableText table("PowersModuloTwoPi",
                  "2^(24 i) modulo 2 pi; for float 2^(12 i), the remainder times 2^88.", reduction);
  for (int e = 0; e < 1024; e += 24) table.add_for<double>(power_modulo_two_pi(e));
  for (int e = 0; e < 128; e += 12) table.add_for<float>(power_modulo_two_pi(e) * float_shift);
  return table;
}

/// Rows for numbers from 2^(chunk row + p - 1) on: what remains of them is whole, so that multiples
/// of 128 do not count.
TableText powers_in_steps() {
  TableText table("PowersInSteps", "2^(24 i) 64 / pi modulo 128; for float 2^(4 i).", kept + 1);
  for (int e = 0; e < 1024 - 52; e += 24) table.add_for<double>(power_in_steps(e));
  for (int e = 0; e < 128 - 23; e += 4) table.add_for<float>(power_in_steps(e));
  return table;
}

std::string header(const char* what, const std::string& body) {
  return fmt::format(
      "// {}\n//\n// Generated from MPFR by validation/constants; do not edit.\n#pragma once\n\n"
      "#include \"mctensor/config.hpp\"\n\n// clang-format off\nnamespace mct::tables {{\n\n"
      "{}}}  // namespace mct::tables\n// clang-format on\n",
      what, body);
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

void write_all(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  write(directory / "constants.hpp",
        header(
            "Mathematical constants in limbs.",
            scalar("Ln2", "log(2).", ln2()).constants() +
                scalar("Ln2Over512", "log(2) / 512.", ln2() / 512).constants() +
                scalar("Log2E", "1 / log(2).", 1 / ln2()).constants() +
                scalar("Log10E", "1 / log(10).", 1 / log(Number(10))).constants() +
                scalar("Pi", "pi.", pi()).constants() +
                scalar("HalfPi", "pi / 2.", pi() / 2).constants() +
                scalar("PiOver64", "pi / 64.", pi() / 64).constants() +
                scalar("SixtyFourOverPi", "64 / pi.", 64 / pi()).constants() +
                scalar("InversePi", "1 / pi.", 1 / pi()).constants() +
                scalar("InverseSqrt2", "1 / sqrt(2).", 1 / sqrt(Number(2))).constants() +
                scalar("HalfLogTwoPi", "log(2 pi) / 2.", log(2 * pi()) / 2).constants() +
                scalar("E", "e.", exp(Number(1))).constants() +
                scalar("Ln10", "log(10).", log(Number(10))).constants() +
                scalar("Sqrt2", "sqrt(2).", sqrt(Number(2))).constants() +
                scalar("Sqrt3", "sqrt(3).", sqrt(Number(3))).constants() +
                scalar("InverseSqrt3", "1 / sqrt(3).", 1 / sqrt(Number(3))).constants() +
                scalar("InverseSqrtPi", "1 / sqrt(pi).", 1 / sqrt(pi())).constants() +
                scalar("GoldenRatio", "(1 + sqrt(5)) / 2.", (1 + sqrt(Number(5))) / 2).constants() +
                scalar("EulerGamma", "Euler's constant.", euler()).constants()));
  write(
      directory / "series.hpp",
      header("Coefficients of power series in limbs.",
             series(
                 "ExpSeries", "1 / (i + 2)!: (exp(r) - 1 - r) / r^2.", 30,
                 [](int i) {
                   return 1 / factorial(i + 2);
                 }).constants() +
                 series("LogSeries", "(-1)^(i+1) / (i + 2): (log(1 + r) - r) / r^2.", 40,
                        [](int i) { return sign(i + 1) / (i + 2); })
                     .constants() +
                 series("SinSeries", "(-1)^(i+1) / (2 i + 3)!: (sin(r) - r) / r^3 in r^2.", 26,
                        [](int i) { return sign(i + 1) / factorial(2 * i + 3); })
                     .constants() +
                 series("CosSeries", "(-1)^(i+1) / (2 i + 2)!: (cos(r) - 1) / r^2 in r^2.", 26,
                        [](int i) { return sign(i + 1) / factorial(2 * i + 2); })
                     .constants() +
                 series("AtanSeries", "(-1)^(i+1) / (2 i + 3): (atan(r) - r) / r^3 in r^2.", 24,
                        [](int i) { return sign(i + 1) / (2 * i + 3); })
                     .constants() +
                 series("ErfSeries", "(-1)^i / (i! (2 i + 1)) 2 / sqrt(pi): erf(x) / x in x^2.", 60,
                        erf_coefficient)
                     .constants() +
                 series("StirlingSeries",
                        "B(2 i + 2) / ((2 i + 2) (2 i + 1)): Stirling's series in 1 / x^2.", 32,
                        stirling_coefficient)
                     .constants() +
                 series("LogGammaSeries", "log(Gamma(1 + x)) / x: -gamma, then (-1)^i zeta(i) / i.",
                        34, log_gamma_coefficient)
                     .constants()));
  write(directory / "exp_table.hpp",
        header("Powers of two with fractional exponents.",
               series("Exp2Table", "2^((index - 256) / 512).", 513, [](int i) {
                 return exp(ln2() * (i - 256) / 512);
               }).lookup()));
  write(directory / "log_table.hpp",
        header("Logarithms of short numbers.",
               log_series("LogReciprocal", "c = 512 / index to 12 bits, index from 362.", 1,
                          short_reciprocal) +
                   log_series("LogTable", "-log(c) for the c of LogReciprocal.", kept,
                              [](int i) { return -log(short_reciprocal(i)); })));
  write(directory / "sin_table.hpp",
        header("Sines.", series("SinTable", "sin(index pi / 64).", 33, [](int i) {
                           return sin(pi() * i / 64);
                         }).lookup()));
  write(directory / "atan_table.hpp",
        header("Arc tangents.", series("AtanTable", "atan(index / 64).", 65, [](int i) {
                                  return atan(Number(i) / 64);
                                }).lookup()));
  write(directory / "erfc_table.hpp",
        header("Gaussian weights of the trapezoidal rule for erfc.",
               series("GaussTable", "exp(-(index / 4)^2).", 52, [](int i) {
                 return exp(-(Number(i) / 4) * (Number(i) / 4));
               }).lookup()));
  write(directory / "reduction_table.hpp",
        header("Tables that reduce large angles.", pi_over_64_limbs().lookup() +
                                                       powers_modulo_two_pi().lookup() +
                                                       powers_in_steps().lookup()));
  write(directory / "plain_tables.hpp",
        header("Tables of functions of plain numbers.",
               plain_exponentials_and_logarithms() + plain_trigonometry() + plain_special()));
}

}  // namespace
}  // namespace mct::validation

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr, "usage: mct_constants DIRECTORY\n");
    return 2;
  }
  try {
    mct::validation::write_all(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "mct_constants: {}\n", error.what());
    return 2;
  }
}

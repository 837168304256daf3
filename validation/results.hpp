// The measurements of the precision suite: plain data between the runner and the writers of table,
// JSON and report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mct::validation {

/// Errors are in units of u^N times the magnitude that the bound is stated for (usually the exact
/// result), u = 2^-p: an error of 1 is half a last place of an N p bit number, roughly.
struct ErrorStatistics {
  std::uint64_t cases = 0;
  double max_error = 0;
  double sum_error = 0;  // divided by cases: the mean

  void add(double error) {
    ++cases;
    sum_error += error;
    if (error > max_error) max_error = error;
  }
  void merge(const ErrorStatistics& other) {
    cases += other.cases;
    sum_error += other.sum_error;
    if (other.max_error > max_error) max_error = other.max_error;
  }
  double mean() const { return cases == 0 ? 0 : sum_error / double(cases); }
};

/// The part of an operation's cases that one generator made (random, cancellation, subnormal...).
struct CategoryResult {
  std::string name;
  ErrorStatistics errors;
};

/// The cases whose exact result has a binary exponent in [exponent, exponent + width).
struct ExponentBin {
  int exponent = 0;
  int width = 1;
  ErrorStatistics errors;
};

/// A case that broke its bound: `replay` repeats it, as in `mct validate --replay '<replay>'`.
struct Violation {
  std::string replay;
  double error = 0;
  std::string what;  // in words: bound exceeded, result not normalized, wrong special value
};

/// The bound of numbers that carry their error, whose errors are in radii of the result.
inline constexpr const char* bound_of_enclosures = "1 radius";
/// The unit of an operation's errors: "u^2", "radii".
inline std::string unit_text(int components, const std::string& bound_text) {
  return bound_text == bound_of_enclosures ? "radii" : "u^" + std::to_string(components);
}

/// One operation of one type: f64x2 add, say.
struct OperationResult {
  std::string operation;   // "add", "mul_scalar", "sqrt" ...
  std::string type;        // "f64x2"
  int components = 0;      // 2
  int precision = 0;       // p of the component type: 53
  double bound = 0;        // stated, in u^N; 0 means exact
  std::string bound_text;  // "3 u^2 |x + y|", "exact"
  ErrorStatistics errors;
  std::vector<CategoryResult> categories;
  std::vector<ExponentBin> by_exponent;
  std::string worst_replay;  // the case of max_error
  std::uint64_t violation_count = 0;
  std::vector<Violation> violations;  // the first few
  bool passed() const { return violation_count == 0; }
};

/// The same operation by another library (or by a published algorithm), on the same inputs.
struct PeerResult {
  std::string operation;  // "add"
  std::string type;       // ours that it stands beside: "f64x2"
  int components = 0;
  int precision = 0;
  std::string peer;        // "QD dd_real", "MPFR 106", "__float128", "Yu 2024 Alg. 28 as printed"
  ErrorStatistics errors;  // in u^N |exact|
  double worst_relative_log2 = 0;  // log2 of the worst relative error, e.g. -53.0
};

/// One point of figures 3.6 and B.14 of Yu 2024: error against the number of components.
struct ComponentPoint {
  std::string operation;       // "add", "scale", "multiply"
  std::string magnitudes;      // "same" or "different"
  std::string implementation;  // "MCTensor C++", "Yu 2024 as printed", "Yu 2024 corrected"
  int precision = 0;           // p of the component type
  int components = 0;
  double mean_relative_log2 = 0;
  double worst_relative_log2 = 0;
};

/// A point of a figure; an infinite log10 of an error means that no result came out at all.
struct FigurePoint {
  double x = 0;
  double log10_y = 0;
};

/// A curve of a figure: what was measured, or (bound) what a theorem says.
struct FigureCurve {
  std::string name;
  bool bound = false;
  std::vector<FigurePoint> points;
};

/// A figure of the report: errors against distance from the origin, say.
struct FigureResult {
  std::string id;     // "halfspace_step"
  std::string title;  // "Numerical error of one step"
  std::string text;   // what was done, in sentences
  std::string x_label, y_label;
  std::vector<FigureCurve> curves;
};

/// Cases of each row of peers in a quick run, and in any other.
inline constexpr int quick_peer_cases = 10'000;
inline constexpr int peer_cases = 100'000;

/// Everything one run found, and how it was run.
struct Results {
  std::uint64_t seed = 0;
  std::uint64_t requested_cases = 0;
  std::uint64_t checked_cases = 0;
  int threads = 0;
  double seconds = 0;
  std::string version;   // library version
  std::string compiler;  // "g++ 12.2.0, -O3, fma"
  std::string cpu;       // model name
  std::string filter;    // empty: everything
  std::vector<OperationResult> operations;
  std::vector<PeerResult> peers;
  std::vector<ComponentPoint> components;
  std::vector<FigureResult> figures;

  bool passed() const {
    for (const auto& operation : operations)
      if (!operation.passed()) return false;
    return true;
  }
};

}  // namespace mct::validation

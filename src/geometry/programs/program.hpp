// A manifold's operation, or its derivatives, as a program: for points where no rare way of the
// formula is taken, in lanes.
//
// Error: values have the steps of the formula in lanes (from Lorentz' origin of a shorter one,
// lorentz_symbols.hpp), and its bound; derivatives those of the
// traced formula (geometry/autograd.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mctensor/geometry/cones/names.hpp"
#include "src/geometry/kernels/program_table.hpp"
#include "src/geometry/programs/recording.hpp"

namespace mct::geometry_detail {

using geometry::ConeOperationName;
using geometry::ConeSystemName;

/// What a program computes: an operation of a model; the conversion of its points to another; or an
/// operation of cones there, whose lengths are numbers after its operands.
struct ProgramOf {
  Model model = Model::count;
  TensorOperation operation = TensorOperation::count;
  Model to = Model::count;
  ConeSystemName cones = ConeSystemName::count;
  ConeOperationName cone_operation = ConeOperationName::count;
  /// Of the stereographic model, whose formulas depend on it.
  int curvature_sign = 0;

  bool is_of_cones() const { return cones != ConeSystemName::count; }
  bool is_conversion() const { return to != Model::count; }
  bool is_projection() const {
    return operation == TensorOperation::projx || cone_operation == ConeOperationName::projx;
  }
  bool operator==(const ProgramOf&) const = default;
};

/// How the vectors of a program lie: those of a block coordinate by coordinate, a point in every
/// lane, or point behind point, as in memory, where neighbouring coordinates share a register.
/// Then operands of doubles need not be moved, and points of few coordinates would leave lanes
/// empty.
struct Layout {
  int rows;   ///< coordinates of a vector
  int first;  ///< the place of the first among a point's, where they lie by points
  bool by_points;

  /// The numbers of a point of so many coordinates there: whole registers of any processor.
  static std::size_t width(int coordinates) {
    return coordinates == 1 ? 1 : (std::size_t(coordinates) + 7) / 8 * 8;
  }
};

/// The steps of the instruction set in use.
const StepTable& active_steps();

class Program {
 public:
  /// Points of at least so many coordinates lie by points. Those of fewer that a GPU has programs
  /// for have its bits.
  static constexpr int least_by_points = 12;
  /// Null where there is none. Programs are made once and kept.
  /// digits: the digits of the type that results are rounded to; the edge that projx leaves depends
  /// on them.
  static const Program* value(Model model, TensorOperation operation, int limbs, int n, int digits);
  /// wanted: bit 0 stands for the radius, bit 1 + i for operand i.
  static const Program* derivatives(Model model, TensorOperation operation, int limbs, int n,
                                    unsigned wanted);
  /// The derivatives of derivatives: wanted has one bit more, for the gradient of the result;
  /// `given` the bits of those by which cotangents there are.
  static const Program* second(Model model, TensorOperation operation, int limbs, int n,
                               unsigned wanted, unsigned given);
  /// Programs for devices, for any model and conversion: the value for wanted = 0 and, for given =
  /// 0, first derivatives. If value(), derivatives() or second() has no such program, the CPU takes
  /// the formula, whose last bits may differ.
  static const Program* in_rows(const ProgramOf& of, int n, unsigned wanted, unsigned given,
                                int digits);

  /// For so many rows of a gradient, from `row` on, numbers or a part that is a vector: the sum of
  /// products of a number's and a vector's note.
  struct Result {
    int gradient, row, rows;
    bool is_vector;
    std::vector<std::pair<int, int>> terms;
  };
  /// The rows that a program reads: of operands, of the gradient of the result and, for second
  /// derivatives, of cotangents by the radius and operands.
  struct Inputs {
    const double* const* operands;
    const double* seed = nullptr;
    const double* const* cotangents = nullptr;
  };
  /// By points: an operand, the seed or a result, of doubles or of floats.
  struct Points {
    double* doubles = nullptr;
    float* floats = nullptr;
    std::ptrdiff_t step = 0;  ///< how far points are from each other
    bool streams = false;     ///< a result that is written past the caches
    /// Whether steps write a caller's memory.
    bool is_in_place() const { return floats != nullptr || streams; }
    bool operator==(const Points&) const = default;
    /// From number `offset` on.
    Points from(std::size_t offset) const {
      return {doubles == nullptr ? nullptr : doubles + offset,
              floats == nullptr ? nullptr : floats + offset, step, streams};
    }
  };
  Program(Recording& recording, std::vector<Result> results, const Layout& layout, int coordinates,
          std::size_t operands);
  bool is_by_points() const { return layout_.by_points; }
  /// Whether results that are vectors are written as a whole by one step, so that they can lie in
  /// memory of a caller.
  bool writes_whole_points() const { return columns_ == 0; }

  /// Doubles that a thread lends, on a boundary of 64 bytes. They are left as they are between
  /// runs; the first is 0 before the first run.
  std::size_t scratch() const { return scratch_; }
  /// As ManifoldVjp; of values results[0] has their rows; second derivatives by the gradient follow
  /// those by operands. Returns the points that the program does not compute, bit p for point p:
  /// their results must be computed anew.
  std::uint64_t run(std::size_t points, const double* radius, const Inputs& in,
                    double* const* results, double* scratch) const;
  /// By points: operands are a whole block, followed by the seed where there is one. Results that
  /// are floats or streamed must be computed anew for all points where any is returned.
  std::uint64_t run(std::size_t points, const double* radius, const Points* in, bool has_seed,
                    const Points* results, double* scratch) const;

  /// Rows begin at `offset` of scratch, of an operand (0, 1, 2), the seed, a cotangent, or a
  /// gradient; `step` is 0 for numbers.
  struct Place {
    int base;
    std::size_t offset;
    std::ptrdiff_t step;
  };
  struct Instruction {
    Step step;
    int rows;
    Place out;
    std::vector<Place> in;
    Place low{};
    bool is_vector = true;  ///< by points: some operand or the result
  };
  /// For other code that runs the program: its steps in their order, and the contents of scratch
  /// before them.
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<std::pair<std::size_t, double>>& constants() const { return constants_; }
  /// The place of the radius in scratch, and the place that condition steps write to.
  static constexpr std::size_t radius_at = 2 * block, mask_at = block;
  /// The places of memory that rows begin at: operands, the seed, cotangents, scratch, results.
  static constexpr int scratch_base = cotangent_operand + 1 + most_operands;
  static constexpr int gradient_base = scratch_base + 1;

 private:
  static const Program* find(const ProgramOf& of, int n, unsigned wanted, int digits,
                             bool by_points);

  using Bases = std::array<Points, gradient_base + most_results>;
  /// The steps on rows at these places, which are the same for block after block, but for operands
  /// and results that are where a caller has them.
  struct Bound {
    const Program* program = nullptr;
    Bases base{};
    std::vector<std::pair<StepKernel, Rows>> steps;
    /// An operand of a step, or its result (-1), its base and its offset.
    struct Moved {
      std::size_t step;
      int operand, base;
      std::size_t offset;
    };
    std::vector<Moved> moved;
  };
  void bind(const Bases& base, Bound& bound) const;
  /// Says in the rows of a step where an operand, or its result (-1), lies.
  static void place(const Points& points, int operand, Rows& rows);
  std::uint64_t run(std::size_t points, const double* radius, Bases& base, double* scratch) const;

  Layout layout_;
  std::size_t width_;        ///< by points: numbers of a vector's row
  std::size_t columns_ = 0;  ///< where scratch says which are coordinates; 0: all are
  std::vector<Instruction> instructions_;
  std::vector<std::pair<std::size_t, double>> constants_;
  std::size_t operands_;
  std::size_t results_ = 0;
  std::size_t scratch_ = 0;
};

}  // namespace mct::geometry_detail

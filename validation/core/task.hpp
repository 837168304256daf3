// An operation with its type erased: what the scheduler runs, block by block.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "validation/results.hpp"

namespace mct::validation {

/// The findings of one block of cases. Blocks are merged in order, so results do not depend on the
/// number of threads.
struct BlockResult {
  ErrorStatistics errors;
  std::array<ErrorStatistics, 10> by_category;  // the last: the table of special values
  std::map<int, ErrorStatistics> by_exponent;   // key: first exponent of the bin
  std::string worst_replay;
  std::uint64_t violation_count = 0;
  std::vector<Violation> violations;
};

/// One operation of one type.
class Task {
 public:
  virtual ~Task() = default;

  /// Name, type, bound: an OperationResult without measurements.
  virtual OperationResult describe() const = 0;
  /// Share of the cases.
  virtual double weight() const = 0;
  /// Cases are no more than this, whatever the share: for those that take milliseconds of MPFR.
  virtual std::uint64_t most_cases() const { return ~std::uint64_t(0); }
  /// Checks `cases` cases of block number `block`.
  virtual BlockResult run(std::uint64_t seed, std::uint64_t block, std::uint64_t cases) const = 0;
  /// Checks every combination of special values; empty where that makes no sense.
  virtual BlockResult run_specials() const = 0;
  /// Repeats one case given as hexadecimal limbs; describes it line by line.
  virtual bool replay(const std::vector<std::string>& operands, std::string& report) const = 0;
};

using TaskList = std::vector<std::unique_ptr<Task>>;

/// The operations of layer eft and expansion on one type of component.
void add_double_tasks(TaskList& list);
void add_float_tasks(TaskList& list);
void add_half_tasks(TaskList& list);
void add_bfloat16_tasks(TaskList& list);

/// The elementary functions.
void add_math_double_tasks(TaskList& list);
void add_math_float_tasks(TaskList& list);
void add_plain_tasks(TaskList& list);

/// Numbers that carry their error.
void add_certified_tasks(TaskList& list);

/// Dot products, sums and matrix products.
void add_product_tasks(TaskList& list);

/// Distances, maps and conversions of manifolds.
void add_geometry_tasks(TaskList& list);

/// The half-space representations of hyperbolic geometry.
void add_halfspace_tasks(TaskList& list);
/// The tilings.
void add_tiling_tasks(TaskList& list);

/// Every operation of the suite, in the order of the report.
TaskList all_tasks();

}  // namespace mct::validation

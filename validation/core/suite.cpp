// Runs the suite: which operations, how many cases, on how many threads.
#include "validation/core/suite.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <sstream>
#include <tuple>

#include "mctensor/error.hpp"
#include "output/machine.hpp"
#include "validation/core/cases.hpp"
#include "validation/core/check.hpp"
#include "validation/core/name_filter.hpp"
#include "validation/core/parallel.hpp"

namespace mct::validation {

bool suite_has_fma() { return MCT_HAS_FMA != 0; }

TaskList all_tasks() {
  TaskList list;
  add_double_tasks(list);
  add_float_tasks(list);
  add_half_tasks(list);
  add_bfloat16_tasks(list);
  add_math_double_tasks(list);
  add_math_float_tasks(list);
  add_plain_tasks(list);
  add_certified_tasks(list);
  add_product_tasks(list);
  add_geometry_tasks(list);
  add_halfspace_tasks(list);
  add_tiling_tasks(list);
  return list;
}

namespace {

TaskList select_tasks(const std::string& filter) {
  TaskList tasks = all_tasks();
  if (filter.empty()) return tasks;
  const NameFilter pattern(filter);
  std::erase_if(tasks, [&](const auto& task) {
    const OperationResult d = task->describe();
    return !pattern.passes(d.type + ' ' + d.operation);
  });
  if (tasks.empty()) throw DomainError("filter '" + filter + "' matches no operation");
  return tasks;
}

/// A piece of work for one thread.
struct Block {
  std::size_t task;
  std::uint64_t number;
  std::uint64_t cases;
  BlockResult result;
};

/// Every task gets its share of the cases, cut into blocks. The cut depends on nothing but the
/// number of cases: with another number of threads another thread runs a block.
std::vector<Block> plan(const TaskList& tasks, std::uint64_t cases) {
  double total_weight = 0;
  for (const auto& task : tasks) total_weight += task->weight();
  std::vector<Block> blocks;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const double share = double(cases) * tasks[t]->weight() / total_weight;
    auto left = std::max<std::uint64_t>(std::uint64_t(share + 0.999), category_count);
    left = std::min(left, tasks[t]->most_cases());
    std::uint64_t block_cases = std::clamp<std::uint64_t>(left / 64, 4096, 1u << 20);
    if (left == tasks[t]->most_cases()) block_cases = left / 8 + 1;  // slow ones: several blocks
    for (std::uint64_t number = 0; left > 0; ++number) {
      const std::uint64_t here = std::min(left, block_cases);
      blocks.push_back({t, number, here, {}});
      left -= here;
    }
  }
  return blocks;
}

/// Runs every block, the first exception stops all.
void run_blocks(const TaskList& tasks, std::vector<Block>& blocks, const Options& options,
                int threads, const Progress& progress) {
  std::uint64_t total = 0;
  for (const Block& block : blocks) total += block.cases;
  std::mutex mutex;
  std::uint64_t done = 0;
  for_each_index(blocks.size(), threads, [&](std::size_t i) {
    Block& block = blocks[i];
    block.result = tasks[block.task]->run(options.seed, block.number, block.cases);
    const std::lock_guard lock(mutex);
    done += block.cases;
    if (progress) progress(done, total);
  });
}

/// Collects the blocks of one task, in order.
class Collector {
 public:
  explicit Collector(const Task& task) : result_(task.describe()) {
    result_.categories.resize(category_count + 1);
    static_assert(std::tuple_size_v<decltype(BlockResult::by_category)> == category_count + 1);
    for (int c = 0; c < category_count; ++c)
      result_.categories[std::size_t(c)].name = category_names[std::size_t(c)];
    result_.categories.back().name = "special values";
  }

  void add(const BlockResult& block) {
    if (block.errors.max_error > result_.errors.max_error || result_.worst_replay.empty())
      if (!block.worst_replay.empty()) result_.worst_replay = block.worst_replay;
    result_.errors.merge(block.errors);
    for (std::size_t c = 0; c < block.by_category.size(); ++c)
      result_.categories[c].errors.merge(block.by_category[c]);
    for (const auto& [exponent, errors] : block.by_exponent) bins_[exponent].merge(errors);
    result_.violation_count += block.violation_count;
    for (const Violation& violation : block.violations)
      if (result_.violations.size() < 5) result_.violations.push_back(violation);
  }

  OperationResult finish() {
    std::erase_if(result_.categories, [](const auto& c) { return c.errors.cases == 0; });
    const int width =
        result_.precision == FloatTraits<double>::p ? bin_width<double> : bin_width<float>;
    for (const auto& [exponent, errors] : bins_)
      result_.by_exponent.push_back({exponent, width, errors});
    return std::move(result_);
  }

 private:
  OperationResult result_;
  std::map<int, ErrorStatistics> bins_;
};

}  // namespace

Results run_suite(const Options& options, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  const TaskList tasks = select_tasks(options.filter);
  const int threads = options.threads > 0 ? options.threads : output::hardware_threads();
  std::vector<Block> blocks = plan(tasks, options.cases);
  run_blocks(tasks, blocks, options, threads, progress);

  Results results;
  results.seed = options.seed;
  results.requested_cases = options.cases;
  results.threads = threads;
  results.filter = options.filter;
  std::size_t b = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Collector collector(*tasks[t]);
    for (; b < blocks.size() && blocks[b].task == t; ++b) collector.add(blocks[b].result);
    collector.add(tasks[t]->run_specials());
    results.operations.push_back(collector.finish());
    results.checked_cases += results.operations.back().errors.cases;
  }
  results.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return results;
}

bool replay_case(const std::string& line, std::string& report) {
  std::istringstream words(line);
  std::string type, operation, operand;
  words >> type >> operation;
  std::vector<std::string> operands;
  while (words >> operand) operands.push_back(operand);
  for (const auto& task : all_tasks()) {
    const OperationResult d = task->describe();
    if (d.type != type || d.operation != operation) continue;
    report += d.type + ' ' + d.operation + '\n';
    for (const auto& text : operands) report += "operand   " + text + '\n';
    return task->replay(operands, report);
  }
  throw DomainError("replay: no operation '" + type + ' ' + operation +
                    "' (expected: type operation operand..., as a violation prints it)");
}

}  // namespace mct::validation

// Programs compiled: steps that nothing needs left out, products joined to sums, rows given places.
#include "src/geometry/programs/program.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <utility>

#include "mctensor/base/environment.hpp"
#include "src/geometry/kernels/registry.hpp"
#include "src/geometry/programs/record.hpp"
#include "src/geometry/programs/uses.hpp"

namespace mct::geometry_detail {
namespace {

/// Rows of scratch, given again when nothing reads them any more.
class Slots {
 public:
  explicit Slots(std::size_t first) : end_(first) {}
  std::size_t take(int rows) {
    auto& free = free_[rows];
    if (free.empty()) {
      const std::size_t at = end_;
      end_ += std::size_t(rows) * block;
      return at;
    }
    const std::size_t at = free.back();
    free.pop_back();
    return at;
  }
  void give_back(int rows, std::size_t at) { free_[rows].push_back(at); }
  std::size_t end() const { return end_; }

 private:
  std::map<int, std::vector<std::size_t>> free_;
  std::size_t end_;
};

/// At most as many terms as a step has, the others summed before.
void shorten(Recording& recording, std::vector<std::pair<int, int>>& terms) {
  while (terms.size() > most_terms) {
    const auto product = [&](const std::pair<int, int>& term) {
      return recording.note(Step::multiply, term.first, term.second);
    };
    const int sum = recording.note(Step::add, product(terms[0]), product(terms[1]));
    terms.erase(terms.begin());
    terms[0] = {recording.constant(1), sum};
  }
  if (terms.empty()) terms.emplace_back(recording.constant(0), recording.constant(1));
}

}  // namespace

const StepTable& active_steps() { return MCT_SELECT_KERNELS(step_table()); }

Program::Program(Recording& recording, std::vector<Result> results, const Layout& layout,
                 int coordinates, std::size_t operands)
    : layout_(layout), width_(Layout::width(coordinates)), operands_(operands) {
  for (Result& r : results) {
    shorten(recording, r.terms);
    // one product is a result as it is
    if (r.terms.size() == 1 && recording.is_constant(r.terms[0].first, 1))
      if (const Note x = recording[r.terms[0].second];
          x.step == Step::multiply && !recording.is_vector(x.a))
        r.terms[0] = {x.a, x.b};
    results_ = std::max(results_, std::size_t(r.gradient) + 1);
  }
  std::vector<Note> notes;
  notes.reserve(std::size_t(recording.size()));
  for (int k = 0; k < recording.size(); ++k) notes.push_back(recording[k]);
  Uses uses(notes);
  for (const Result& r : results)
    for (const auto& [factor, vector] : r.terms) {
      uses.need(factor);
      uses.need(vector);
    }
  const auto conditions = uses.conditions(recording.required());
  uses.join_pairs_of_products();
  if (!recording.is_exact()) uses.join_products();

  std::size_t end = 3 * block;
  const bool by_points = layout.by_points;
  if (by_points && std::size_t(layout.rows) != width_) {
    columns_ = end;
    end += (width_ + block - 1) / block * block;
  }
  // a vector takes as much memory as so many numbers
  const int vector_rows = by_points ? int(width_) : layout.rows;
  const auto step_of = [&](bool is_vector) {
    return is_vector ? std::ptrdiff_t(by_points ? width_ : block) : 0;
  };
  std::vector<Place> place(notes.size());
  for (std::size_t k = 0; k < notes.size(); ++k) {
    if (uses[int(k)] == 0) continue;
    const Note& x = notes[k];
    if (x.step == Step::constant) {
      constants_.emplace_back(end, x.value);
      place[k] = {scratch_base, end, 0};
      end += block;
    } else if (x.step == Step::radius) {
      place[k] = {scratch_base, radius_at, 0};
    } else if (x.step == Step::input && by_points && !x.is_vector) {
      place[k] = {scratch_base, end, 0};
      end += block;
      const Place among{x.a, std::size_t(x.b), 0};
      instructions_.push_back({Step::take, 1, place[k], {among}, {}});
    } else if (x.step == Step::input) {
      place[k] = {x.a, by_points ? 0 : std::size_t(x.b) * block, step_of(x.is_vector)};
    }
  }
  std::vector<int> left(notes.size());
  for (std::size_t k = 0; k < notes.size(); ++k) left[k] = uses[int(k)];
  Slots slots(end);
  const auto rows_of = [&](int k) { return notes[std::size_t(k)].is_vector ? vector_rows : 1; };
  const auto done = [&](int k) {
    const Note& x = notes[std::size_t(k)];
    const bool own = x.step != Step::constant && x.step != Step::radius && x.step != Step::input;
    if (--left[std::size_t(k)] == 0 && own)
      slots.give_back(rows_of(k), place[std::size_t(k)].offset);
  };
  const Place mask{scratch_base, mask_at, 0};
  const auto finish = [&](int k) {
    for (const Uses::Condition& condition : conditions) {
      if (condition.last != k) continue;
      Instruction step{condition.step, 1, mask, {}, {}};
      for (const int operand : condition.of) {
        step.rows = std::max(step.rows, rows_of(operand));
        step.in.push_back(place[std::size_t(operand)]);
        done(operand);
      }
      step.is_vector = step.rows > 1;
      instructions_.push_back(std::move(step));
    }
    for (Result& r : results) {
      const bool is_known = std::all_of(r.terms.begin(), r.terms.end(), [&](const auto& term) {
        return std::max(term.first, term.second) <= k;
      });
      if (!is_known || r.rows == 0) continue;
      Instruction give{
          Step(int(Step::give) + int(r.terms.size()) - 1),
          std::exchange(r.rows, 0),
          {gradient_base + r.gradient,
           by_points ? std::size_t(r.is_vector ? 0 : r.row) : std::size_t(r.row) * block,
           step_of(r.is_vector)},
          {},
          {}};
      for (const auto& [factor, vector] : r.terms)
        for (const int operand : {factor, vector}) {
          give.in.push_back(place[std::size_t(operand)]);
          done(operand);
        }
      instructions_.push_back(std::move(give));
    }
  };
  for (std::size_t k = 0; k < notes.size(); ++k) {
    if (uses[int(k)] == 0) continue;
    const Note& x = notes[k];
    if (x.step > Step::radius && place[k].offset == 0) {
      const int rows = rows_of(int(k));
      place[k] = {scratch_base, slots.take(rows), step_of(x.is_vector)};
      const bool sums = Recording::sums(x.step);
      Instruction step{x.step, sums ? vector_rows : rows, place[k], {}, {}};
      step.is_vector = sums || x.is_vector;
      if (by_points && x.is_vector && active_steps().on_points[int(x.step)] == nullptr)
        throw NoProgram();
      if (const std::size_t low = x.step == Step::long_dot ? uses.low_of(k) : 0; low != 0) {
        step.step = Step::long_dots;
        step.low = place[low] = {scratch_base, slots.take(1), 0};
        done(x.a);
        done(x.b);
      }
      for (const int operand : {x.a, x.b, x.c, x.d})
        if (operand >= 0) {
          step.in.push_back(place[std::size_t(operand)]);
          done(operand);
        }
      instructions_.push_back(std::move(step));
    }
    finish(int(k));
  }
  scratch_ = slots.end();
}

void Program::place(const Points& points, int operand, Rows& rows) {
  if (operand < 0) {
    rows.out = points.doubles;
    rows.out_floats = points.floats;
  } else {
    rows.in[operand] = points.doubles;
    rows.in_floats[operand] = points.floats;
  }
}

void Program::bind(const Bases& base, Bound& bound) const {
  const StepTable& table = active_steps();
  const auto base_of = [&](const Place& p) -> const Points& { return base[std::size_t(p.base)]; };
  const auto at = [&](const Place& p) { return base_of(p).from(p.offset); };
  // how far the points of a vector are from each other, or its coordinates
  const auto step = [&](const Place& p) {
    return layout_.by_points && p.base != scratch_base ? base_of(p).step : p.step;
  };
  bound.program = nullptr;  // until all is there
  bound.steps.clear();
  bound.steps.reserve(instructions_.size());
  bound.moved.clear();
  for (const Instruction& i : instructions_) {
    Rows rows{};
    for (std::size_t k = 0; k < i.in.size(); ++k) {
      place(at(i.in[k]), int(k), rows);
      rows.step[k] = step(i.in[k]);
      rows.is_vector[k] = i.in[k].step != 0;
    }
    place(at(i.out), -1, rows);
    rows.streams = base_of(i.out).streams;
    rows.out_step = step(i.out);
    rows.low = at(i.low).doubles;
    rows.rows = i.rows;
    rows.mask = base[scratch_base].doubles + mask_at;
    rows.width = width_;
    rows.columns = columns_ == 0 ? nullptr : base[scratch_base].doubles + columns_;
    const bool on_points = layout_.by_points && i.is_vector;
    bound.steps.emplace_back((on_points ? table.on_points : table.kernel)[int(i.step)], rows);
    const auto moves = [&](int operand, const Place& p) {
      if (p.base != scratch_base)
        bound.moved.push_back({bound.steps.size() - 1, operand, p.base, p.offset});
    };
    for (std::size_t k = 0; k < i.in.size(); ++k) moves(int(k), i.in[k]);
    moves(-1, i.out);
  }
  bound.base = base;
  bound.program = this;
}

std::uint64_t Program::run(std::size_t points, const double* radius, const Inputs& in,
                           double* const* gradients, double* scratch) const {
  // inputs are read only
  const auto rows = [](const double* begin) {
    return begin == nullptr ? Points{} : Points{.doubles = const_cast<double*>(begin)};
  };
  Bases base;
  for (std::size_t k = 0; k < operands_; ++k) base[k] = rows(in.operands[k]);
  base[seed_operand] = rows(in.seed);
  for (std::size_t k = 0; in.cotangents != nullptr && k <= operands_; ++k)
    base[cotangent_operand + k] = rows(in.cotangents[k]);
  for (std::size_t k = 0; k < results_; ++k) base[gradient_base + k] = rows(gradients[k]);
  return run(points, radius, base, scratch);
}
std::uint64_t Program::run(std::size_t points, const double* radius, const Points* in,
                           bool has_seed, const Points* results, double* scratch) const {
  Bases base;
  std::copy_n(in, operands_, base.begin());
  if (has_seed) base[seed_operand] = in[operands_];
  std::copy_n(results, results_, base.begin() + gradient_base);
  return run(points, radius, base, scratch);
}
std::uint64_t Program::run(std::size_t points, const double* radius, Bases& base,
                           double* scratch) const {
  const auto fill = [&](std::size_t at, double value) { std::fill_n(scratch + at, block, value); };
  const auto own = std::bit_cast<double>(std::uint64_t(reinterpret_cast<std::uintptr_t>(this)));
  if (std::bit_cast<std::uint64_t>(scratch[0]) != std::bit_cast<std::uint64_t>(own)) {
    for (const auto& [at, value] : constants_) fill(at, value);
    for (std::size_t i = 0; columns_ != 0 && i < width_; ++i)
      scratch[columns_ + i] = int(i) >= layout_.first && int(i) < layout_.first + layout_.rows;
    scratch[0] = own;
  }
  fill(radius_at, *radius);
  fill(mask_at, 1);
  base[scratch_base] = {.doubles = scratch};
  thread_local Bound bound;
  const auto has_moved = [](const Points& a, const Points& b) {
    return a.step == b.step && a.streams == b.streams &&
           (a.doubles == nullptr) == (b.doubles == nullptr) &&
           (a.floats == nullptr) == (b.floats == nullptr);
  };
  const bool stays = bound.program == this && base[scratch_base] == bound.base[scratch_base] &&
                     std::equal(base.begin(), base.end(), bound.base.begin(), has_moved);
  if (!stays) {
    bind(base, bound);
  } else if (base != bound.base) {
    for (const auto& [step, operand, at, offset] : bound.moved) {
      place(base[std::size_t(at)].from(offset), operand, bound.steps[step].second);
    }
    bound.base = base;
  }
  for (const auto& [kernel, rows] : bound.steps) kernel(rows);
  // masks are 1 or 0
  constexpr auto one = std::bit_cast<std::uint64_t>(1.0);
  std::uint64_t all = one;
  for (std::size_t p = 0; p < block; ++p) all &= std::bit_cast<std::uint64_t>(scratch[mask_at + p]);
  if (all == one) return 0;
  std::uint64_t left = 0;
  for (std::size_t p = 0; p < points; ++p)
    if (!(scratch[mask_at + p] == 1)) left |= std::uint64_t(1) << p;
  return left;
}

Parts parts_of(Model model, int n, bool splits_last) {
  const bool has_time = model == Model::lorentz;
  const bool has_height =
      model == Model::half_space || model == Model::hemisphere || model == Model::sphere;
  // the hemisphere's height is beyond the axis that the half-space splits off
  const bool splits = splits_last && model != Model::half_space;
  return {1 + int(has_time) + int(has_height) + int(splits), int(has_time), n};
}

Results record(const ProgramOf& of, int n, unsigned wanted, int digits) {
  if (of.is_of_cones()) return record_cones(of, n, wanted, digits);
  if (of.is_conversion()) return record_conversion(of.model, of.to, n, wanted);
  const auto by = [&](RecordModel* model) { return model(of.operation, n, wanted, digits); };
  switch (of.model) {
    case Model::ball:
      return by(&record_ball);
    case Model::half_space:
      return by(&record_half_space);
    case Model::lorentz:
      return by(&record_lorentz);
    case Model::klein:
      return by(&record_klein);
    case Model::sphere:
      return by(&record_sphere);
    case Model::hemisphere:
      return by(&record_hemisphere);
    case Model::euclidean:
      return by(&record_euclidean);
    case Model::stereographic:
      return by(&record_stereographic);
    default:
      throw NoProgram();
  }
}

namespace {

/// Longer points go through the formula one by one: a program holds a block of each vector.
constexpr int most_coordinates = 1024;

/// Coordinates, wanted derivatives, digits of what is projected, whether by points.
struct Key {
  ProgramOf of;
  int n;
  unsigned wanted;
  int digits;
  bool by_points;
  bool operator==(const Key&) const = default;
};

struct Known {
  Key key;
  std::unique_ptr<Program> program;  ///< null: there is none
  const Known* next;
};

/// The recording that this thread notes in, until the end of the scope.
class CurrentRecording {
 public:
  explicit CurrentRecording(Recording* recording) { Recording::set_current(recording); }
  ~CurrentRecording() { Recording::set_current(nullptr); }
  CurrentRecording(const CurrentRecording&) = delete;
  CurrentRecording& operator=(const CurrentRecording&) = delete;
};

std::unique_ptr<Program> note_program(const Key& key) {
  const auto [of, n, wanted, digits, by_points] = key;
  const ExactEnvironment exact;  // constants are calculated here, once for all
  const bool splits =
      of.is_conversion() && (of.model == Model::half_space || of.to == Model::half_space);
  const Parts parts = parts_of(of.model, n, splits);
  if (parts.rows(parts.vector_part) < 1) return nullptr;  // no part of a point is a vector
  Recording recording(n, wanted == 0, of.curvature_sign);
  const CurrentRecording current(&recording);
  try {
    auto results = record(of, n, wanted, digits);
    const Layout layout{parts.rows(parts.vector_part), parts.row(parts.vector_part), by_points};
    return std::make_unique<Program>(recording, std::move(results), layout, n,
                                     geometry::described(of.operation).operands.size());
  } catch (const NoProgram&) {
    return nullptr;
  }
}

}  // namespace

const Program* Program::find(const ProgramOf& of, int n, unsigned wanted, int digits,
                             bool by_points) {
  if (n > most_coordinates) return nullptr;
  // It only grows: nobody waits for a lock that fork() has left behind, and nothing is destroyed
  // while another thread may still run it. Two threads may note the same program.
  static std::atomic<const Known*> all{nullptr};
  if (!of.is_projection() || wanted != 0) digits = 0;
  const Key key{of, n, wanted, digits, by_points};
  for (const Known* one = all.load(std::memory_order_acquire); one != nullptr; one = one->next)
    if (one->key == key) return one->program.get();
  auto made = std::make_unique<Known>(Known{key, note_program(key), nullptr});
  made->next = all.load(std::memory_order_relaxed);
  while (!all.compare_exchange_weak(made->next, made.get(), std::memory_order_release,
                                    std::memory_order_relaxed)) {
  }
  return made.release()->program.get();
}

namespace {

/// Those that the CPU has programs for.
bool has_lanes(Model model, int limbs) { return limbs == 1 && int(model) <= int(Model::lorentz); }

}  // namespace

const Program* Program::value(Model model, TensorOperation operation, int limbs, int n,
                              int digits) {
  // whether a direction is one is checked point by point
  if (operation == TensorOperation::busemann || operation == TensorOperation::horosphere_projection)
    return nullptr;
  if (!has_lanes(model, limbs)) return nullptr;
  return find({model, operation}, n, 0, digits, n >= least_by_points);
}
const Program* Program::derivatives(Model model, TensorOperation operation, int limbs, int n,
                                    unsigned wanted) {
  if (wanted == 0 || !has_lanes(model, limbs)) return nullptr;
  return find({model, operation}, n, wanted, 0, n >= least_by_points);
}
const Program* Program::second(Model model, TensorOperation operation, int limbs, int n,
                               unsigned wanted, unsigned given) {
  if (wanted == 0 || given == 0 || !has_lanes(model, limbs)) return nullptr;
  return find({model, operation}, n, second_bits(wanted, given), 0, false);
}
const Program* Program::in_rows(const ProgramOf& of, int n, unsigned wanted, unsigned given,
                                int digits) {
  return find(of, n, given == 0 ? wanted : second_bits(wanted, given), digits, false);
}

}  // namespace mct::geometry_detail

// The losses of a batch's examples and their gradients.
#pragma once

#include "cuda/embed/training_launch.hpp"
#include "cuda/geometry/team_row.hpp"
#include "src/embed/kernels/example_loop.hpp"

namespace mct::cuda {

/// An example whose other points are shared by eight neighbouring threads in turn, where the CPU
/// has a register of eight lanes. All threads of a warp take the same branches.
template <class Place, int most_turns, int threads, class Team>
class ExampleThreads {
 public:
  using V = double;
  using Coordinates = typename Place::Coordinates;
  using Sums = kernels::PartialSums<double, 8>;
  static constexpr int width = 8;
  static constexpr bool one_factor = true;
  static constexpr int sums_at_hand = coordinates_in<Place>;
  static_assert(most_turns <= 32);
  static constexpr int cells =
      kernels::ExampleLoop<Place, ExampleThreads>::cells(coordinates_in<Place>, 1);
  /// Memory of a block; each thread reads only what it has written itself.
  using Memory = typename Team::template Array<double, cells * most_turns * threads>;

  MCT_BLOCK ExampleThreads(Team& team, Memory& memory, const double* points,
                           const embed_detail::Examples& examples,
                           const embed_detail::ExampleResults<double>& results, std::int64_t e,
                           bool is_there)
      : team_(team),
        memory_(memory),
        points_(points),
        examples_(examples),
        results_(results),
        example_(e),
        base_(e * (1 + examples.others)),
        lane_(team.rank() % width),
        is_there_(is_there) {
    // loads all rows at once, and the first point while the source is read
    MCT_UNROLL
    for (int r = 0; r < most_turns; ++r)
      if (is_within(r) && row_at(1 + place(r)) >= 0) there_ |= 1u << r;
    ahead_ = point(row_of_turn(0));
  }

  MCT_BLOCK int registers() const { return (examples_.others + width - 1) / width; }
  MCT_BLOCK Coordinates& source(int) { return source_; }
  MCT_BLOCK double& own(int) { return own_; }
  MCT_BLOCK Coordinates load_source(int) const { return point(row_at(0)); }
  /// Loads one turn after the other: the next one is read while this one is computed.
  MCT_BLOCK Coordinates load_others(int r, int) {
    const Coordinates now = ahead_;
    ahead_ = point(row_of_turn(r + 1));
    return now;
  }
  MCT_BLOCK double cell(int i, int r) const {
    return memory_.template read<1>((i * most_turns + r) * threads + team_.rank())[0];
  }
  MCT_BLOCK void keep(int i, int r, double x) {
    memory_.template write<1>((i * most_turns + r) * threads + team_.rank(), {{x}});
  }
  MCT_BLOCK double where_there(int r, double x, double nobody) const {
    return (there_ >> r & 1u) != 0 ? x : nobody;
  }
  MCT_BLOCK double first_of(double x) const { return team_.shuffle(x, first_thread()); }
  MCT_BLOCK double with_first(double x, double first) const { return lane_ == 0 ? first : x; }
  MCT_BLOCK double smallest(double x) const {
    double least = first_of(x);
    MCT_UNROLL
    for (int j = 1; j < width; ++j) {
      const double other = team_.shuffle(x, first_thread() + j);
      least = other < least ? other : least;
    }
    return least;
  }
  /// Every thread gets the sum.
  MCT_BLOCK double total(const Sums& sums) const {
    double sum = sums.sum(0);
    MCT_UNROLL
    for (int step = width / 2; step > 0; step /= 2) sum = sum + team_.shuffle_xor(sum, step);
    return sum;
  }
  MCT_BLOCK double share() const { return team_.template load<1>(examples_.shares + example_)[0]; }
  MCT_BLOCK void put(int i, int r, double x) const {
    if (is_there_ && is_within(r)) store(gradient(i) + 1 + place(r), x);
  }
  MCT_BLOCK void put_source(int i, double x) const {
    if (is_there_ && lane_ == 0) store(gradient(i), x);
  }
  MCT_BLOCK void set_loss(double x) const {
    if (is_there_ && lane_ == 0) store(results_.losses + example_, x);
  }
  /// Slopes are needed only if the radius is learned.
  MCT_BLOCK bool wants_slope() const { return results_.slopes != nullptr; }
  MCT_BLOCK void set_slope(double x) const {
    if (is_there_ && lane_ == 0) store(results_.slopes + example_, x);
  }

 private:
  MCT_BLOCK int place(int r) const { return r * width + lane_; }
  MCT_BLOCK bool is_within(int r) const { return place(r) < examples_.others; }
  /// The row of this lane; if the lane has none, an existing row.
  MCT_BLOCK std::int32_t row_of_turn(int r) const {
    if (r < registers() && (there_ >> r & 1u) != 0) return row_at(1 + place(r));
    return row_at(r < registers() ? 1 + r * width : 0);
  }
  MCT_BLOCK int first_thread() const { return team_.rank() % 32 - lane_; }
  MCT_BLOCK std::int32_t row_at(int i) const {
    return team_.template load<1>(examples_.rows + base_ + i)[0];
  }
  MCT_BLOCK Coordinates point(std::int32_t row) const {
    const std::int64_t at = std::int64_t(row < 0 ? 0 : row) * numbers_in<Place>;
    return Place::load(TeamRow<Team, const double>(team_, points_ + at), coordinates_in<Place>);
  }
  MCT_BLOCK double* gradient(int i) const {
    return results_.gradients + i * results_.plane + base_;
  }
  MCT_BLOCK void store(double* p, double x) const { team_.template store<1>(p, {{x}}); }

  Team& team_;
  Memory& memory_;
  const double* points_;
  const embed_detail::Examples& examples_;
  const embed_detail::ExampleResults<double>& results_;
  std::int64_t example_, base_;
  int lane_;
  bool is_there_;
  std::uint32_t there_ = 0;  // bit r: this lane has a point in turn r
  Coordinates source_, ahead_;
  double own_ = 0;
};

/// Losses and gradients of `count` examples of at most 8 most_turns others, with the CPU's bits.
///
/// Grid: (count / examples of a block, rounded up).
template <class Place, int most_turns>
struct ExampleGradients : ExampleLaunch {
  static constexpr int threads = 64, blocks_per_sm = 1;
  static constexpr int of_block = threads / 8;
  template <class Team>
  using Lanes = ExampleThreads<Place, most_turns, threads, Team>;

  template <class Team>
  struct Shared {
    typename Lanes<Team>::Memory memory;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t e = std::int64_t(team.block_x()) * of_block + team.rank() / 8;
    const bool is_there = e < count;
    embed_detail::Examples as_sharp = examples;
    as_sharp.sharpness = examples.sharpness * team.template load<1>(&state->radius)[0];
    Lanes<Team> lanes(team, shared.memory, points, as_sharp, results, is_there ? e : 0, is_there);
    const embed_detail::PointTable<const double> table{points, dimensions_in<Place>,
                                                       numbers_in<Place>, 1};
    kernels::ExampleLoop<Place, Lanes<Team>>(table, as_sharp, lanes).run();
  }
};

}  // namespace mct::cuda

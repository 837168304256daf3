// The figures of the report on hyperbolic geometry.
#include "validation/geometry/figures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/geometry/storage/halfspace/bounds.hpp"
#include "output/machine.hpp"
#include "validation/core/name_filter.hpp"
#include "validation/core/parallel.hpp"
#include "validation/geometry/figure_points.hpp"
#include "validation/geometry/tiling_errors.hpp"

namespace mct::validation {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unit_roundoff = FloatTraits<double>::u;

/// log10 of a mean error: -20 stands for none.
double log10_of(double error) {
  if (std::isnan(error)) return infinity;
  return std::log10(std::max(error, 1e-20));
}

/// NaN counts as the largest error: std::max would drop it.
double or_infinity(double error) { return std::isnan(error) ? infinity : error; }

/// One curve, to be filled on some thread.
struct CurveJob {
  std::size_t figure;
  std::string name;
  std::function<FigureCurve(Random&)> measure;
};

/// Boost's numbers of run-time precision, which the truth of the tilings is made of, have one
/// default precision for all threads (Boost 1.74): such curves are measured one after the other.
std::mutex& boost_precision() {
  static std::mutex mutex;
  return mutex;
}

/// The error of a sample at a distance.
using Error = double (*)(double d, Random& random);
template <Error error>
double one_at_a_time(double d, Random& random) {
  const std::lock_guard lock(boost_precision());
  return error(d, random);
}
/// The mean or the largest of an error over some points at each distance.
enum class Of { mean, largest };
FigureCurve curve_of(Of what, const std::vector<double>& distances, int samples, Random& random,
                     Error error) {
  FigureCurve curve;
  for (const double d : distances) {
    double sum = 0;
    double largest = 0;
    for (int i = 0; i < samples; ++i) {
      const double e = or_infinity(error(d, random));
      sum += e;
      largest = std::max(largest, e);
    }
    curve.points.push_back({d, log10_of(what == Of::mean ? sum / samples : largest)});
  }
  return curve;
}

/// The work on all figures.
class Workshop {
 public:
  Workshop(const Options& options, bool quick)
      : filter_(options.filter), seed_(options.seed), quick_(quick) {}

  bool begin(FigureResult figure) {
    if (!filter_.passes("geometry figure " + figure.id)) return false;
    figures_.push_back(std::move(figure));
    return true;
  }
  void curve(const std::string& name, std::function<FigureCurve(Random&)> measure) {
    jobs_.push_back({figures_.size() - 1, name, std::move(measure)});
  }

  void errors(const std::string& name, Of what, Error error) {
    errors(name, what, error, distances());
  }
  void errors(const std::string& name, Of what, Error error, const std::vector<double>& at) {
    errors(name, what, error, at, samples());
  }
  void errors(const std::string& name, Of what, Error error, const std::vector<double>& at,
              int count) {
    curve(name, [=](Random& random) { return curve_of(what, at, count, random, error); });
  }

  int samples() const { return quick_ ? 2 : 6; }
  /// Of a figure of the worst case: with few pairs its curves would dip where one is lucky.
  int pairs() const { return quick_ ? 8 : 100; }
  std::vector<double> distances() const { return figure_distances(quick_); }

  void finish(int threads, Results& results) {
    std::vector<FigureCurve> curves(jobs_.size());
    for_each_index(jobs_.size(), threads, [&](std::size_t i) {
      // the same points for every curve of a figure
      Random random(seed_, 0x6765'6f6d'0000ull + jobs_[i].figure);
      curves[i] = jobs_[i].measure(random);
      curves[i].name = jobs_[i].name;
    });
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      figures_[jobs_[i].figure].curves.push_back(std::move(curves[i]));
    results.figures.insert(results.figures.end(), figures_.begin(), figures_.end());
  }

 private:
  NameFilter filter_;
  std::uint64_t seed_;
  bool quick_;
  std::vector<FigureResult> figures_;
  std::vector<CurveJob> jobs_;
};

template <class Model, Way way>
double representation_error(double d, Random& random) {
  const ExactPoint p = point_on(way, d, random);
  const auto kept = Model::exact(Model::store(p));
  return kept ? double(exact_distance(p, *kept)) : infinity;
}

/// d(y, y') of one step by a vector of length 1/2 from a stored point.
template <class Model>
double step_error(double d, Random& random) {
  const auto start = Model::store(point_on(Way::diagonal, d, random));
  const PlaneVector v = frame_vector(0.5, random);
  const auto from = Model::exact(start);
  if (!from) return infinity;
  const auto reached = Model::exact(Model::step(start, v));
  return reached ? double(exact_distance(exact_step(*from, exact_vector(v)), *reached)) : infinity;
}

/// The relative error of the distance of two points, 1 apart, that are stored first.
template <class Model>
double distance_error(double d, Random& random) {
  const ExactPoint p = point_on(Way::horizontal, d, random);
  const PlaneVector v = frame_vector(1, random);
  const ExactPoint q = exact_step(p, exact_vector(v));
  const Big exact = exact_distance(p, q);
  const double found = Model::dist(Model::store(p), Model::store(q));
  return std::isfinite(found) ? std::fabs(double((Big(found) - exact) / exact)) : infinity;
}

template <int M>
using Xmc = HalfSpaceModel<geometry::XmcHalfSpace<double, M>>;

/// Calls visit(model, name) for every way to store a point.
template <class Visit>
void for_each_model(const Visit& visit) {
  visit(GeooptPoincare(), "Poincar\xC3\xA9, geoopt");
  visit(GeooptLorentz(), "Lorentz, geoopt");
  visit(Xmc<1>(), "half-space, double");
  visit(Xmc<2>(), "2 components");
  visit(Xmc<3>(), "3 components");
  visit(Xmc<4>(), "4 components");
  visit(Xmc<20>(), "20 components");
}

template <int M>
void add_theorem_curves(Workshop& shop) {
  const auto distances = [=, all = shop.distances()] {
    std::vector<double> d;
    for (const double x : all)
      if (x <= 50.0 * M + 20) d.push_back(x);
    return d;
  }();
  const std::string name = M == 1 ? "half-space" : fmt::format("{} components", M);
  shop.errors(
      name + ", largest", Of::largest,
      [](double d, Random& r) {
        return std::max(or_infinity(representation_error<Xmc<M>, Way::horizontal>(d, r)),
                        or_infinity(representation_error<Xmc<M>, Way::diagonal>(d, r)));
      },
      distances);
  shop.curve(name + ", theorem", [=](Random&) {
    FigureCurve curve;
    curve.bound = true;
    for (const double d : distances) {
      const double bound = M == 1 ? geometry::theorem_3_3_1(unit_roundoff, d)
                                  : geometry::theorem_3_3_4(unit_roundoff, M, d);
      curve.points.push_back({d, log10_of(bound)});
    }
    return curve;
  });
}

void add_theorem_figure(Workshop& shop) {
  if (!shop.begin(
          {"halfspace_theorems",
           "Representation error beside Theorems 3.3.1 and 3.3.4",
           "The largest distance between a point and its stored form, among points on the "
           "two ways outwards (horizontally, the worst of the proofs, and with x growing as "
           "the height shrinks), beside what the theorems allow. A measured error above its "
           "theorem is a violation of the suite's halfspace_store.",
           "distance from the origin",
           "log\xE2\x82\x81\xE2\x82\x80 of d(x, fl(x))",
           {}}))
    return;
  add_theorem_curves<1>(shop);
  add_theorem_curves<2>(shop);
  add_theorem_curves<3>(shop);
  add_theorem_curves<4>(shop);
}

void add_storage_figure(Workshop& shop) {
  if (!shop.begin(
          {"halfspace_storage",
           "Mean representation error (Figure 3.4)",
           "The mean distance between a point and its stored form on the way x ~ e^(d/3), "
           "h ~ e^(-d/3). The half-space in double passes 1 near 57, two components twice as "
           "far; a horizontal way, the worst, has 38 for each component (figure above).",
           "distance from the origin",
           "log\xE2\x82\x81\xE2\x82\x80 of the mean of d(x, fl(x))",
           {}}))
    return;
  for_each_model([&](auto model, const char* name) {
    shop.errors(name, Of::mean, representation_error<decltype(model), Way::diagonal>);
  });
}

void add_step_figure(Workshop& shop) {
  if (!shop.begin({"halfspace_step",
                   "Numerical error of one RSGD step (Figure 3.5)",
                   "The mean distance between where a step of length 1/2 from a stored point leads "
                   "and where it should lead, on the same way outwards.",
                   "distance from the origin",
                   "log\xE2\x82\x81\xE2\x82\x80 of the mean of d(y, y\xE2\x80\xB2)",
                   {}}))
    return;
  for_each_model([&](auto model, const char* name) {
    shop.errors(name, Of::mean, step_error<decltype(model)>);
  });
  shop.errors("L-tiling", Of::mean, one_at_a_time<ltiling_step_error>);
  shop.errors("H-tiling", Of::mean, one_at_a_time<htiling_step_error>);
}

void add_tiling_figure(Workshop& shop) {
  if (!shop.begin({"tilings",
                   "Tilings: error beside Theorems 3.2.1, 3.2.4, 3.2.5 and B.1.3",
                   "Of the samples at each distance the one that comes nearest to its bound. The "
                   "tilings' errors do not grow with the distance from the origin, but for the "
                   "rounding of a distance itself; those of the Lorentz model in double do.",
                   "distance from the origin",
                   "log\xE2\x82\x81\xE2\x82\x80 of the error",
                   {}}))
    return;
  const std::pair<TilingError, const char*> subjects[] = {
      {TilingError::lorentz_point, "Lorentz"},
      {TilingError::ltiling_point, "L-tiling"},
      {TilingError::htiling_point, "H-tiling"},
      {TilingError::ltiling_distance, "L-tiling distances"}};
  for (const auto& [what, name] : subjects) {
    for (const bool bound : {false, true}) {
      shop.curve(
          std::string(name) + (bound ? ", bound" : ", measured"),
          [=, what = what, samples = shop.samples(), distances = shop.distances()](Random&) {
            const std::lock_guard lock(boost_precision());
            FigureCurve curve;
            curve.bound = bound;
            for (const TilingErrorRow& row : tiling_errors(what, distances, samples))
              curve.points.push_back({row.distance, log10_of(bound ? row.bound : row.measured)});
            return curve;
          });
    }
  }
}

void add_distance_figure(Workshop& shop) {
  if (!shop.begin({"halfspace_distance",
                   "Relative error of the distance of two near points",
                   "Pairs of points 1 apart at the given distance from the origin, on the worst "
                   "way outwards, are stored; of " +
                       std::to_string(shop.pairs()) +
                       " pairs the largest error of the distance that is computed from them, what "
                       "was lost in storing included (L-tiling: all directions, 0.5 to 1.5 apart). "
                       "The goal is 1e-15 up to 600.",
                   "distance from the origin",
                   "log\xE2\x82\x81\xE2\x82\x80 of the relative error",
                   {}}))
    return;
  const auto worst = [&](const char* name, Error error) {
    shop.errors(name, Of::largest, error, shop.distances(), shop.pairs());
  };
  for_each_model(
      [&](auto model, const char* name) { worst(name, distance_error<decltype(model)>); });
  worst("L-tiling", one_at_a_time<ltiling_distance_error>);
  worst("H-tiling", one_at_a_time<htiling_distance_error>);
  shop.curve("goal", [distances = shop.distances()](Random&) {
    FigureCurve curve;
    curve.bound = true;
    for (const double d : distances) curve.points.push_back({d, -15});
    return curve;
  });
}

}  // namespace

void measure_figures(const Options& options, bool quick, Results& results) {
  Workshop shop(options, quick);
  add_theorem_figure(shop);
  add_storage_figure(shop);
  add_step_figure(shop);
  add_tiling_figure(shop);
  add_distance_figure(shop);
  shop.finish(options.threads > 0 ? options.threads : output::hardware_threads(), results);
}

}  // namespace mct::validation

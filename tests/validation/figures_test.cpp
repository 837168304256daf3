// The figures of hyperbolic geometry: what they are meant to show holds in their data.
#include "validation/geometry/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace mct::validation {
namespace {

Results quick_figures(const std::string& filter, int threads) {
  Options options;
  options.filter = filter;
  options.threads = threads;
  Results results;
  measure_figures(options, true, results);
  return results;
}

const FigureResult& figure(const Results& results, const std::string& id) {
  for (const FigureResult& f : results.figures)
    if (f.id == id) return f;
  throw std::runtime_error("no figure " + id);
}
const FigureCurve& curve(const FigureResult& figure, const std::string& name) {
  for (const FigureCurve& c : figure.curves)
    if (c.name == name) return c;
  throw std::runtime_error("no curve " + name);
}
double largest(const FigureCurve& curve) {
  double y = -100;
  for (const FigurePoint& p : curve.points)
    if (!(p.log10_y <= y)) y = p.log10_y;  // NaN stays
  return y;
}
/// Where a curve first exceeds 1; 1000 if it never does.
double breaks_at(const FigureCurve& curve) {
  for (const FigurePoint& p : curve.points)
    if (!(p.log10_y <= 0)) return p.x;
  return 1000;
}

TEST(Figures, ShowWhatTheyAreMeantTo) {
  const Results results = quick_figures("", 2);
  ASSERT_EQ(results.figures.size(), 5u);
  // measured below the theorems
  const FigureResult& theorems = figure(results, "halfspace_theorems");
  for (std::size_t i = 0; i < theorems.curves.size(); i += 2) {
    const FigureCurve& measured = theorems.curves[i];
    const FigureCurve& bound = theorems.curves[i + 1];
    ASSERT_TRUE(bound.bound && !measured.bound);
    ASSERT_EQ(measured.points.size(), bound.points.size());
    for (std::size_t k = 0; k < measured.points.size(); ++k)
      EXPECT_LE(measured.points[k].log10_y, bound.points[k].log10_y) << measured.name;
  }
  const FigureResult& storage = figure(results, "halfspace_storage");
  // 55 and 110, on the coarse distances of a quick run
  EXPECT_NEAR(breaks_at(curve(storage, "half-space, double")), 58, 8);
  EXPECT_NEAR(breaks_at(curve(storage, "2 components")), 116, 12);
  EXPECT_LE(largest(curve(storage, "20 components")), -15.9);
  const FigureResult& step = figure(results, "halfspace_step");
  for (const char* name : {"20 components", "L-tiling", "H-tiling"})
    EXPECT_LE(largest(curve(step, name)), -15) << name;
  // the goal
  const FigureResult& distance = figure(results, "halfspace_distance");
  EXPECT_LE(largest(curve(distance, "20 components")), -15);
  EXPECT_EQ(curve(distance, "20 components").points.back().x, 600);
  for (const char* name : {"L-tiling", "H-tiling"})
    EXPECT_LE(largest(curve(distance, name)), -14.5) << name;
  // the worst of many pairs: geoopt's Lorentz model has no digit left, nowhere
  for (const FigurePoint& p : curve(distance, "Lorentz, geoopt").points)
    if (p.x >= 28) {
      EXPECT_GE(p.log10_y, -0.5) << p.x;
    }
}

TEST(Figures, AreTheSameOnAnyNumberOfThreads) {
  const Results one = quick_figures("figure halfspace_storage", 1);
  const Results two = quick_figures("figure halfspace_storage", 2);
  ASSERT_EQ(one.figures.size(), 1u);
  ASSERT_EQ(two.figures.size(), 1u);
  for (std::size_t c = 0; c < one.figures[0].curves.size(); ++c)
    for (std::size_t i = 0; i < one.figures[0].curves[c].points.size(); ++i)
      EXPECT_EQ(one.figures[0].curves[c].points[i].log10_y,
                two.figures[0].curves[c].points[i].log10_y);
  EXPECT_TRUE(quick_figures("no such figure", 1).figures.empty());
}

}  // namespace
}  // namespace mct::validation

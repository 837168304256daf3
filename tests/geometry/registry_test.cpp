// The registry: what is compiled, found by names; on views and broadcast; from C as well.
#include "mctensor/geometry/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "mctensor/c_api.h"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test::registry_cases {
namespace {

using namespace mct::geometry;
using mct::testing::message_of;

TEST(Registry, HasEveryOperationOfEveryTypeWithTheSameKinds) {
  std::map<std::string, std::set<std::string>> types;
  std::map<std::string, std::size_t> all, of_one;
  for (const Registered& entry : registered_operations()) {
    types[entry.model].insert(entry.type);
    ++all[entry.model];
    of_one[entry.model] += entry.type == "f64x1";
    EXPECT_EQ(&registered(entry.operation, entry.model, entry.type), &entry);
    EXPECT_EQ(registered(entry.operation, entry.model, "f64x1").operands, entry.operands);
  }
  std::set<std::string> short_types = {"f64x1", "f64x2", "f32x1",  "f32x2",
                                       "f16x1", "f16x2", "bf16x1", "bf16x2"};
  std::set<std::string> all_types = short_types;
  all_types.insert("f64x3");
  EXPECT_EQ(types.size(), 8U);
  for (const auto& [model, given] : types) {
    const bool has_kernels = model == "PoincareBall" || model == "HalfSpace" || model == "Lorentz";
    EXPECT_EQ(given, has_kernels ? all_types : short_types) << model;
    EXPECT_EQ(all[model], given.size() * of_one[model]) << model;
    for (const char* operation : {"dist", "inner", "norm", "expmap", "logmap", "ptransp",
                                  "geodesic", "projx", "proju", "egrad2rgrad"})
      EXPECT_EQ(registered(operation, model, "f32x1").model, model);
  }
  EXPECT_EQ(registered("geodesic", "Lorentz", "f32x1").operands, "npp");
  EXPECT_EQ(registered("geodesic", "Lorentz", "f32x1").result, OperationResult::point);
  EXPECT_EQ(registered("logmap", "HalfSpace", "f32x1").result, OperationResult::vector);
  EXPECT_EQ(registered("dist", "HalfSpace", "bf16x2").result, OperationResult::number);
}

TEST(Registry, SaysWhatThereIs) {
  const auto message = [](const char* operation, const char* model, const char* type,
                          const char* device = "cpu") {
    return message_of<DomainError>([&] { registered(operation, model, type, device); });
  };
  EXPECT_EQ(message("dist", "Ball", "f64x1"),
            "no manifold 'Ball'; there are Euclidean, HalfSpace, Hemisphere, Klein, Lorentz, "
            "PoincareBall, Sphere, Stereographic");
  EXPECT_EQ(message("dist", "Lorentz", "f64x1", "cuda"),
            "no device of geometry 'cuda'; there are cpu");
  EXPECT_NE(message("dist", "Lorentz", "f64x4").find("'f64x4'; there are bf16x1, bf16x2, f16x1"),
            std::string::npos);
  EXPECT_NE(message("dist", "Klein", "f64x3").find("of Klein 'f64x3'; there are bf16x1"),
            std::string::npos);
  EXPECT_NE(message("mobius_add", "Lorentz", "f64x1")
                .find("no operation of Lorentz 'mobius_add'; there are busemann, "),
            std::string::npos);
}

/// Three points of a model, coordinates that are free from 1 / 16 to 1 / 4.
Tensor<double> some_points(const std::string& model, double radius) {
  auto x = Tensor<double>::uninitialized({3, 3});
  for (int i = 0; i < 3; ++i) {
    const double a = 0.0625 * (i + 1), b = 0.25 - 0.0625 * i;
    x.set({i, 0}, 0.125);
    x.set({i, 1}, a);
    x.set({i, 2}, b);
  }
  return registered("projx", model, "f64x1").value<double, 1>(radius, {x});
}

/// The value is finite, has its shape, and derivatives are those of differences.
void expect_differentiable(const Registered& entry) {
  SCOPED_TRACE(entry.model + " " + entry.operation);
  const double radius = 1.5;
  const auto points = some_points(entry.model, radius);
  std::vector<Tensor<double>> in;
  bool first = true;
  for (const char kind : entry.operands) {
    in.push_back(kind == 'n' ? Tensor<double>::scalar(0.75)
                 : first     ? points.narrow(0, 0, 2)
                         // a plane's normal vector is not its point
                         : points[entry.operands == "ppp" && in.size() == 2 ? 0 : 2]);
    first = first && kind == 'n';
  }
  const bool is_boundary =
      entry.operation == "busemann" || entry.operation == "horosphere_projection";
  if (is_boundary) in[1] = Tensor<double>::from_values({0, 1, 0});
  const auto value = entry.value<double, 1>(radius, in);
  const auto grad = full<double>(value.shape(), 1.0);
  const std::vector<bool> wanted(in.size() + 1, true);
  const auto derivatives = entry.derivatives<double, 1, 1>(radius, in, grad, wanted);
  const auto total = [&](double k) {
    double sum = 0;
    for (const double v : entry.value<double, 1>(k, in).values()) sum += v;
    return sum;
  };
  EXPECT_TRUE(std::isfinite(total(radius)));
  EXPECT_EQ(derivatives[0].shape(), Shape{});
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(derivatives[i + 1].shape(), in[i].shape()) << i;
  const double h = 1e-5;
  const double by_radius = (total(radius + h) - total(radius - h)) / (2 * h);
  // points of the hyperboloid belong to one radius
  if (entry.model != "Lorentz") {
    EXPECT_NEAR(derivatives[0].item(), by_radius, 1e-6 * (1 + std::fabs(by_radius)));
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i == 1 && is_boundary) continue;  // a direction, which stays of length 1
    const std::int64_t last = in[i].numel() - 1;
    const auto keep = in[i];
    const auto moved = [&](double step) {
      in[i] = keep.clone();
      in[i].data()[last] += step;
      return total(radius);
    };
    const double by_last = (moved(h) - moved(-h)) / (2 * h);
    in[i] = keep;
    EXPECT_NEAR(derivatives[i + 1].data()[last], by_last, 1e-6 * (1 + std::fabs(by_last))) << i;
  }
}
TEST(Registry, EveryOperationHasItsDerivatives) {
  for (const Registered& entry : registered_operations())
    if (entry.type == "f64x1" && entry.operation != "dist_gradient") expect_differentiable(entry);
}

TEST(Registry, ReadsViewsOfMemory) {
  // columns of a matrix, and components in planes of their own
  double memory[] = {0.25, 9, -0.5, 9, 0.125, 9, 0x1p-60, 9, 0x1p-61, 9, 0, 9};
  const auto x = Tensor<double, 2>::from_memory(memory, {3}, {2}, 6);
  const auto y = Tensor<double, 2>::from_values({f64x2(0.5), f64x2(0.25), f64x2(-0.25)});
  const PoincareBall<f64x2> ball(f64x2(2));
  Point<f64x2> a(3), b(3);
  for (int i = 0; i < 3; ++i) {
    a[i] = x.at({i});
    b[i] = y.at({i});
  }
  const auto norm =
      registered("inner", "PoincareBall", "f64x2").value<double, 2>(f64x2(2), {x, y, y});
  EXPECT_EQ(norm.item(), ball.inner(a, b, b));
  const auto sums = registered("mobius_sub", "PoincareBall", "f64x2")
                        .value<double, 2>(f64x2(2), {x.unsqueeze(0).expand({4, 3}), y});
  ASSERT_EQ(sums.shape(), (Shape{4, 3}));
  const auto expected = ball.mobius_sub(a, b);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f64x2(sums.at({3, i})), expected[i]) << i;
}

TEST(Registry, RefusesWhatDoesNotFit) {
  const Registered& dist = registered("dist", "PoincareBall", "f64x1");
  const Tensor<double> x({2, 3}), y({5, 3}), z({2, 4});
  const auto refused = [&](double radius, const std::vector<Tensor<double>>& in) {
    return message_of<Error>([&] { dist.value<double, 1>(radius, in); });
  };
  EXPECT_EQ(refused(1, {x}), "dist: 1 operands, expected 2");
  EXPECT_NE(refused(1, {x, y}).find("(5,)"), std::string::npos) << refused(1, {x, y});
  EXPECT_NE(refused(1, {x, z}).find("(2, 4)"), std::string::npos);
  EXPECT_EQ(refused(-1, {x, x}), "radius -1 of a manifold is not a number from 2^-150 to 2^150");
  for (const double k : {HUGE_VAL, 1e46, 6e-46, 0.0, double(NAN)})
    EXPECT_NE(refused(k, {x, x}).find("of a manifold is not a number from 2^-150 to 2^150"),
              std::string::npos)
        << k;
  EXPECT_EQ(message_of<Error>([&] {
              registered("dist", "Stereographic", "f64x1").value<double, 1>(HUGE_VAL, {x, x});
            }),
            "curvature inf of a manifold is not finite");
  EXPECT_THROW((dist.value<float, 1>(1, {Tensor<float>({3}), Tensor<float>({3})})), DomainError);
  EXPECT_THROW((dist.derivatives<double, 1, 1>(1, {x, x}, x, {true, true, true})), ShapeError);
  EXPECT_THROW((dist.derivatives<double, 1, 1>(1, {x, x}, Tensor<double>({2}), {true})),
               ShapeError);
  const auto omega = Tensor<double>::from_values({0, 0, 2});
  EXPECT_THROW((registered("busemann", "PoincareBall", "f64x1").value<double, 1>(1, {x, omega})),
               DomainError);
}

mct_array array_of(double* data, const std::vector<int64_t>& shape,
                   const int64_t* strides = nullptr) {
  return {data, MCT_FLOAT64, 1, 0, int(shape.size()), shape.data(), strides};
}

TEST(CGeometry, ListsOperations) {
  int64_t count = 0;
  ASSERT_EQ(mct_geometry_count(&count), MCT_OK);
  ASSERT_EQ(count, int64_t(registered_operations().size()));
  mct_geometry_operation operation = {};
  ASSERT_EQ(mct_geometry_at(count - 1, &operation), MCT_OK);
  EXPECT_EQ(operation.operation, registered_operations().back().operation);
  EXPECT_STREQ(operation.device, "cpu");
  EXPECT_EQ(mct_geometry_at(count, &operation), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_geometry_at(0, nullptr), MCT_BAD_ARGUMENT);
}

TEST(CGeometry, GivesValuesAndGradients) {
  double radius = 1.5;
  const std::vector<int64_t> none, two_points{2, 3}, two{2}, three{3};
  // coordinates of a point lie two apart
  double x[] = {0.125, 0.25, 0.5, 0.25, 0.75, 0.5}, t[] = {0.5}, z[6], ones[] = {1, 1, 1, 1, 1, 1};
  double y[] = {-0.5, 0.25, 0.75};
  const int64_t across[] = {1, 2};
  const mct_array k = array_of(&radius, none);
  const mct_array in[] = {array_of(t, none), array_of(x, two_points, across), array_of(y, three)};
  const mct_array out = array_of(z, two_points);
  ASSERT_EQ(mct_geometry_value("HalfSpace", "geodesic", &k, in, 3, &out), MCT_OK)
      << mct_last_error();
  const HalfSpace<double> space(1.5);
  const Point<double> end{-0.5, 0.25, 0.75};
  const auto expected = space.geodesic(0.5, Point<double>{0.125, 0.5, 0.75}, end);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(z[i], expected[i], 1e-15) << i;
  double by_radius, by_t, by_x[6], by_y[3];
  const mct_array to[] = {array_of(&by_radius, none), array_of(&by_t, none),
                          array_of(by_x, two_points, across), array_of(by_y, three)};
  const mct_array* gradients[] = {&to[0], &to[1], &to[2], &to[3]};
  const mct_array grad = array_of(ones, two_points);
  ASSERT_EQ(mct_geometry_gradients("HalfSpace", "geodesic", &k, in, 3, &grad, gradients), MCT_OK)
      << mct_last_error();
  const auto same =
      registered("geodesic", "HalfSpace", "f64x1")
          .derivatives<double, 1, 1>(
              1.5,
              {Tensor<double>::scalar(0.5), Tensor<double>::from_memory(x, {2, 3}, {1, 2}),
               Tensor<double>::from_values({-0.5, 0.25, 0.75})},
              Tensor<double>::from_memory(ones, {2, 3}), {true, true, true, true});
  EXPECT_EQ(by_radius, same[0].item());
  EXPECT_EQ(by_t, same[1].item());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(by_x[2 * i + 1], same[2].at({1, i})) << i;
    EXPECT_EQ(by_y[i], same[3].at({i})) << i;
  }
  gradients[0] = gradients[1] = gradients[3] = nullptr;
  by_x[0] = 0;
  ASSERT_EQ(mct_geometry_gradients("HalfSpace", "geodesic", &k, in, 3, &grad, gradients), MCT_OK);
  EXPECT_NEAR(by_x[0], same[2].at({0, 0}), 1e-14);
}

TEST(CGeometry, SaysWhatIsWrong) {
  double radius = 1, x[] = {0.5, 0}, d = 7;
  const std::vector<int64_t> none, two{2}, negative{-2};
  const mct_array k = array_of(&radius, none), out = array_of(&d, none);
  mct_array in[] = {array_of(x, two), array_of(x, two)};
  const auto error = [&](const char* model, const char* operation, int count = 2) {
    EXPECT_EQ(mct_geometry_value(model, operation, &k, in, count, &out), MCT_BAD_ARGUMENT);
    return std::string(mct_last_error());
  };
  EXPECT_NE(error("Ball", "dist").find("there are Euclidean, HalfSpace"), std::string::npos);
  EXPECT_NE(error("Lorentz", "gyration").find("there are busemann"), std::string::npos);
  EXPECT_EQ(error(nullptr, "dist"), "model is null");
  EXPECT_EQ(error("PoincareBall", "dist", 1), "dist: 1 operands, expected 2");
  EXPECT_NE(error("PoincareBall", "dist", -1).find("-1"), std::string::npos);
  EXPECT_EQ(error("PoincareBall", "expmap"), "result: shape (), expected (2,)");
  in[1].components = 2;
  EXPECT_NE(error("PoincareBall", "dist").find("operand 1: type 3 of 2"), std::string::npos);
  in[1] = array_of(x, negative);
  EXPECT_NE(error("PoincareBall", "dist").find("operand 1: of shape (-2,)"), std::string::npos);
  in[1] = array_of(nullptr, two);
  EXPECT_EQ(error("PoincareBall", "dist"), "operand 1: data is null");
  mct_array four = k;
  four.components = 4;
  EXPECT_EQ(mct_geometry_value("PoincareBall", "dist", &four, in, 2, &out), MCT_BAD_ARGUMENT);
  EXPECT_EQ(d, 7);
}

}  // namespace
}  // namespace mct::geometry_test::registry_cases

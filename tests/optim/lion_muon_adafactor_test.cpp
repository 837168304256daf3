// Lion, Muon and Adafactor against formulas written down again in double.
#include <cmath>
#include <functional>

#include "mctensor/optim/all.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/files.hpp"

namespace mct::test {
namespace {

using namespace optim;
using Numbers = std::vector<double>;

/// A parameter whose gradient is p - target, rounded to T, and the same in double.
template <class T, int N>
struct Pulled {
  Variable<T, N> x;
  Numbers p;
  Numbers g;

  explicit Pulled(const Shape& shape) : x(convert<T, N>(start(shape)), true) {
    p = convert<double, 1>(x.value()).flatten().values();
    g.resize(p.size());
  }
  static Tensor<double> start(const Shape& shape) {
    auto values = randn<double>(shape, 17);
    return values * 0.5 + 1.0;
  }
  void pull() {
    Tensor<T> grad(x.shape());
    for (std::size_t i = 0; i < p.size(); ++i) {
      grad.data()[i] = T(p[i] - 0.3 * double(i % 5));
      g[i] = double(grad.data()[i]);
    }
    x.zero_grad();
    x.set_grad(grad);
  }
  void expect_same(double tolerance) const {
    const auto found = convert<double, 1>(x.value()).flatten().values();
    for (std::size_t i = 0; i < p.size(); ++i)
      EXPECT_NEAR(found[i], p[i], tolerance * (1 + std::fabs(p[i]))) << i;
  }
};

template <class T, int N>
void check_lion(double tolerance) {
  SCOPED_TRACE(N);
  LionOptions o;
  o.lr = 0.01;
  o.weight_decay = 0.1;
  Pulled<T, N> data({3, 4});
  Lion<T, N> lion({data.x}, o);
  Numbers m(data.p.size());
  for (int t = 0; t < 20; ++t) {
    data.pull();
    for (std::size_t i = 0; i < m.size(); ++i) {
      const double mixed = o.beta1 * m[i] + (1 - o.beta1) * data.g[i];
      const double sign = mixed > 0 ? 1 : mixed < 0 ? -1 : 0;
      data.p[i] -= o.lr * (sign + o.weight_decay * data.p[i]);
      m[i] = o.beta2 * m[i] + (1 - o.beta2) * data.g[i];
    }
    EXPECT_EQ(lion.step().elements, 12);
  }
  data.expect_same(tolerance);
}

TEST(Lion, IsThePapers) {
  check_lion<double, 1>(1e-14);
  check_lion<float, 2>(1e-12);
  check_lion<float, 1>(1e-5);
  check_lion<half, 2>(1e-4);
  check_lion<bfloat16, 2>(2e-3);
}

TEST(Lion, WithoutAGradientNothingMoves) {
  const Variable<float> x(Tensor<float>::from_values({1, -2}), true);
  x.set_grad(Tensor<float>({2}));
  Lion<float>({x}).step();
  EXPECT_EQ(x.value().values(), (std::vector<float>{1, -2}));
}

/// Row-major matrices.
struct Matrix {
  std::size_t rows;
  std::size_t columns;
  Numbers x;
  double& operator()(std::size_t i, std::size_t j) { return x[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return x[i * columns + j]; }
};
Matrix transposed(const Matrix& a) {
  Matrix r{a.columns, a.rows, Numbers(a.x.size())};
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) r(j, i) = a(i, j);
  return r;
}
Matrix product(const Matrix& a, const Matrix& b) {
  Matrix r{a.rows, b.columns, Numbers(a.rows * b.columns)};
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.columns; ++j)
      for (std::size_t k = 0; k < a.columns; ++k) r(i, j) += a(i, k) * b(k, j);
  return r;
}
/// The quintic iteration, one term after the other: a x + b (x x^T) x + c (x x^T) (x x^T) x.
Matrix iterated(Matrix x, int steps) {
  double sum = 0;
  for (const double value : x.x) sum += value * value;
  for (double& value : x.x) value /= std::sqrt(sum);
  for (int t = 0; t < steps; ++t) {
    const Matrix square = product(x, transposed(x));
    const Matrix third = product(square, x);
    const Matrix fifth = product(square, third);
    for (std::size_t i = 0; i < x.x.size(); ++i)
      x.x[i] = 3.4445 * x.x[i] - 4.7750 * third.x[i] + 2.0315 * fifth.x[i];
  }
  return x;
}

template <class T, int N>
void check_muon(const Shape& shape, const MuonOptions& o, double tolerance) {
  SCOPED_TRACE(mct::to_string(shape));
  Pulled<T, N> data(shape);
  Muon<T, N> muon({data.x}, o);
  const auto rows = std::size_t(shape[0]);
  const auto columns = std::size_t(shape[1]);
  Numbers m(data.p.size());
  for (int t = 0; t < 5; ++t) {
    data.pull();
    Matrix direction{rows, columns, m};
    for (std::size_t i = 0; i < m.size(); ++i) {
      m[i] = o.momentum * m[i] + (1 - o.momentum) * data.g[i];
      direction.x[i] = o.nesterov ? (1 - o.momentum) * data.g[i] + o.momentum * m[i] : m[i];
    }
    const Matrix step = iterated(direction, o.ns_steps);
    const double scale = o.scale == MuonScale::original
                             ? std::sqrt(std::max(1.0, double(rows) / double(columns)))
                             : 0.2 * std::sqrt(double(std::max(rows, columns)));
    for (std::size_t i = 0; i < m.size(); ++i)
      data.p[i] = data.p[i] * (1 - o.lr * o.weight_decay) - o.lr * scale * step.x[i];
    muon.step();
  }
  data.expect_same(tolerance);
}

TEST(Muon, IsPyTorchs) {
  MuonOptions o;
  o.lr = 0.02;
  for (const Shape& shape : {Shape{3, 5}, Shape{5, 3}, Shape{4, 4}, Shape{1, 6}}) {
    check_muon<double, 1>(shape, o, 1e-12);
    check_muon<float, 2>(shape, o, 1e-6);  // iterations in float
    check_muon<bfloat16, 2>(shape, o, 2e-3);
  }
  o.nesterov = false;
  o.scale = MuonScale::match_rms_adamw;
  o.weight_decay = 0;
  o.ns_steps = 3;
  check_muon<double, 1>({2, 7}, o, 1e-12);
}

TEST(Muon, MakesSingularValuesAlike) {
  // of a matrix with orthogonal rows of lengths from 1 to 0.02
  const auto basis = Tensor<double>::from_values({1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1}, {3, 4});
  const auto lengths = Tensor<double>::from_values({0.5, 0.1, 0.01}, {3, 1});
  const auto rows = newton_schulz(basis * lengths);
  const auto squares = mm(rows, rows.t());
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      if (i == j) {
        EXPECT_NEAR(std::sqrt(squares(i, i)), 0.95, 0.28) << i;
      } else {
        EXPECT_NEAR(squares(i, j), 0, 1e-12);
      }
  EXPECT_EQ(max(abs(newton_schulz(Tensor<double>({2, 3})))).item(), 0);
}

/// A matrix of zeros is not divided by 0, whatever eps.
TEST(Muon, LeavesMatricesWithoutGradient) {
  for (const double eps : {0.0, 1e-50, 1e-7}) {
    MuonOptions o;
    o.weight_decay = 0;
    o.eps = eps;
    const Variable<float> x(full<float>({2, 3}, 1), true);
    x.set_grad(Tensor<float>({2, 3}));
    Muon<float> muon({x}, o);
    muon.step();
    EXPECT_EQ(x.value().values(), full<float>({2, 3}, 1).values()) << eps;
    EXPECT_EQ(newton_schulz(Tensor<half>({3, 2}), 5, eps).shape(), (Shape{3, 2}));
    EXPECT_EQ(max(abs(newton_schulz(Tensor<half>({3, 2}), 5, eps))).item(), half(0)) << eps;
  }
}

TEST(Muon, IterationsHaveADomain) {
  const auto x = full<double>({2, 2}, 1);
  const auto message = [&](int steps, double eps) {
    return testing::message_of<DomainError>([&] { newton_schulz(x, steps, eps); });
  };
  EXPECT_NE(message(-3, 1e-7).find("newton_schulz: steps -3 is not"), std::string::npos);
  EXPECT_NE(message(5, std::nan("")).find("newton_schulz: eps nan is not"), std::string::npos);
  EXPECT_NE(message(5, -1).find("eps -1 is not"), std::string::npos);
  EXPECT_NE(message(5, HUGE_VAL).find("eps inf is not"), std::string::npos);
  EXPECT_EQ(newton_schulz(x, 0)(0, 1), 0.5);
}

TEST(Muon, TakesMatricesOnly) {
  const Variable<float> bias(Tensor<float>({3}), true);
  const auto message = testing::message_of<ShapeError>([&] { Muon<float>(std::vector{bias}); });
  EXPECT_NE(message.find("shape (3,)"), std::string::npos) << message;
  EXPECT_THROW(newton_schulz(Tensor<float>({3})), ShapeError);
  const Variable<float> weight(Tensor<float>({3, 2}), true);
  Muon<float> muon({weight});
  muon.groups()[0].parameters.push_back(bias);
  bias.set_grad(Tensor<float>({3}));
  weight.set_grad(full<float>({3, 2}, 1));
  EXPECT_THROW(muon.step(), ShapeError);
  EXPECT_EQ(muon.steps(), 0);
  EXPECT_EQ(max(abs(weight.value())).item(), 0);
}

/// torch.optim.Adafactor of one parameter, in double.
struct AdafactorReference {
  AdafactorOptions o;
  double eps1;
  Numbers v;
  std::vector<Numbers> row;
  std::vector<Numbers> column;

  static double rms(const Numbers& x) {
    double sum = 0;
    for (const double value : x) sum += value * value;
    return std::sqrt(sum / double(x.size()));
  }
  Numbers second_moment(const Numbers& g, const Shape& shape, double part) {
    Numbers result(g.size());
    v.resize(g.size());
    if (shape.size() < 2) {
      for (std::size_t i = 0; i < g.size(); ++i)
        result[i] = v[i] = (1 - part) * v[i] + part * g[i] * g[i];
      return result;
    }
    const auto columns = std::size_t(shape[shape.size() - 1]);
    const auto rows = std::size_t(shape[shape.size() - 2]);
    const std::size_t batches = g.size() / rows / columns;
    row.resize(batches, Numbers(rows));
    column.resize(batches, Numbers(columns));
    for (std::size_t b = 0; b < batches; ++b) {
      const double* const part_of_g = g.data() + b * rows * columns;
      Numbers row_mean(rows);
      Numbers column_mean(columns);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
          const double square = part_of_g[i * columns + j] * part_of_g[i * columns + j];
          row_mean[i] += square / double(columns);
          column_mean[j] += square / double(rows);
        }
      double mean = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        row[b][i] = (1 - part) * row[b][i] + part * row_mean[i];
        mean += row[b][i] / double(rows);
      }
      for (std::size_t j = 0; j < columns; ++j)
        column[b][j] = (1 - part) * column[b][j] + part * column_mean[j];
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          result[(b * rows + i) * columns + j] =
              row[b][i] * column[b][j] / std::max(mean, eps1 * eps1);
    }
    return result;
  }
  void step(Numbers& p, const Numbers& g, const Shape& shape, int t) {
    const Numbers moment = second_moment(g, shape, std::pow(t, o.beta2_decay));
    Numbers update(g.size());
    for (std::size_t i = 0; i < g.size(); ++i)
      update[i] = g[i] / std::sqrt(std::max(moment[i], eps1 * eps1));
    const double clip = std::max(1.0, rms(update) / o.d);
    const double alpha = o.relative_step
                             ? std::max(o.eps2, rms(p)) * std::min(o.lr, 1 / std::sqrt(double(t)))
                             : o.lr;
    for (std::size_t i = 0; i < g.size(); ++i)
      p[i] = p[i] * (1 - o.lr * o.weight_decay) - alpha * update[i] / clip;
  }
};

template <class T, int N>
void check_adafactor(const Shape& shape, const AdafactorOptions& o, double tolerance) {
  SCOPED_TRACE(mct::to_string(shape));
  Pulled<T, N> data(shape);
  Adafactor<T, N> adafactor({data.x}, o);
  AdafactorReference reference{o,
                               o.eps1 > 0                  ? o.eps1
                               : std::is_same_v<T, double> ? 0x1p-52
                                                           : 0x1p-23,
                               {},
                               {},
                               {}};
  for (int t = 1; t <= 12; ++t) {
    data.pull();
    reference.step(data.p, data.g, shape, t);
    adafactor.step();
  }
  data.expect_same(tolerance);
}

TEST(Adafactor, IsPyTorchs) {
  AdafactorOptions o;
  o.lr = 0.05;
  o.weight_decay = 0.1;
  for (const Shape& shape : {Shape{3, 5}, Shape{7}, Shape{2, 3, 4}, Shape{}}) {
    for (const bool relative : {true, false}) {
      o.relative_step = relative;
      check_adafactor<double, 1>(shape, o, 1e-13);
      check_adafactor<float, 2>(shape, o, 1e-6);  // sizes are of the leading component
      check_adafactor<half, 2>(shape, o, 1e-3);
      check_adafactor<bfloat16, 2>(shape, o, 4e-3);
    }
  }
  o.eps1 = 2;  // larger than any gradient: u = g / 2
  o.d = 0.25;  // clipped
  check_adafactor<double, 1>({3, 5}, o, 1e-13);
  check_adafactor<double, 1>({7}, o, 1e-13);
}

/// Numbers beside a matrix: 3 + 5 instead of 15.
TEST(Adafactor, KeepsRowsAndColumns) {
  const Variable<float> x(Tensor<float>({3, 5}), true);
  x.set_grad(Tensor<float>({3, 5}));
  Adafactor<float> adafactor({x});
  adafactor.step();
  StateWriter writer;
  adafactor.save_to(writer);
  const mct::testing::TemporaryDirectory directory;
  writer.save(directory / "states");
  const SafetensorsReader file(directory / "states");
  EXPECT_EQ(file.shape("0.0.row"), (Shape{3, 1}));
  EXPECT_EQ(file.shape("0.0.column"), (Shape{1, 5}));
  EXPECT_EQ(file.names().size(), 4U);
}

/// What the low component is for: steps below half a unit of bfloat16.
template <template <class, int> class Optimizer, class Options>
void check_small_steps(Options options, double part) {
  options.lr = 1e-4;
  options.weight_decay = 0;
  const Variable<bfloat16> plain(full<bfloat16>({2, 2}, bfloat16(1)), true);
  const Variable<bfloat16, 2> pair(full<bfloat16, 2>({2, 2}, bf16x2(1)), true);
  Optimizer<bfloat16, 1> plain_optimizer({plain}, options);
  Optimizer<bfloat16, 2> pair_optimizer({pair}, options);
  const auto grad =
      Tensor<bfloat16>::from_values({bfloat16(1), bfloat16(1), bfloat16(-1), bfloat16(1)}, {2, 2});
  for (int t = 0; t < 100; ++t) {
    plain.zero_grad();
    pair.zero_grad();
    plain.set_grad(grad);
    pair.set_grad(grad);
    plain_optimizer.step();
    pair_optimizer.step();
  }
  EXPECT_EQ(max(abs(plain.value() - bfloat16(1))).item(), bfloat16(0));
  const auto moved = convert<double, 1>(pair.value()).values();
  EXPECT_NEAR(moved[0], 1 - part, 0.05 * part);
}

TEST(SmallSteps, ArriveInTwoComponents) {
  check_small_steps<Lion>(LionOptions(), 1e-2);
  check_small_steps<Adafactor>(AdafactorOptions(), 1e-2);
}

}  // namespace
}  // namespace mct::test

// Linear systems, decompositions and norms for mctensor/linalg.py.
#include "mctensor/linalg/all.hpp"

#include <nanobind/stl/tuple.h>
#include <tuple>

#include "any_tensor.hpp"

namespace mct::python {

namespace {

/// Applies f to a tensor of doubles or floats. Other types have no decompositions.
template <class F>
auto of_matrix(const char* name, const AnyTensor& x, const F& f) {
  using Result = decltype(f(Tensor<double, 2>()));
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>& a) -> Result {
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
          return f(a);
        } else {
          throw nb::type_error((std::string(name) + ": an operand of type " + dtype_name(x) +
                                "; there are f64x1 to f64x4 and f32x1 to f32x4")
                                   .c_str());
        }
      },
      x.tensor);
}

/// Applies f to two tensors of one type.
template <class F>
auto of_system(const char* name, const AnyTensor& x, const AnyTensor& y, const F& f) {
  return of_matrix(name, x, [&](const auto& a) { return f(a, same_type(name, a, y)); });
}

template <class... T, int... N>
auto wrap_all(const Tensor<T, N>&... x) {
  return std::make_tuple(wrap(x)...);
}

/// A function of one matrix whose result is a tensor.
template <class F>
void bind_one(nb::module_& m, const char* name, const F& f) {
  m.def(
      name,
      [name, f](const AnyTensor& x) {
        return of_matrix(name, x, [&](const auto& a) { return wrap(f(a)); });
      },
      "a"_a, Release());
}
/// A function of one matrix whose result is a tuple of tensors.
template <class F>
void bind_several(nb::module_& m, const char* name, const F& f) {
  m.def(
      name, [name, f](const AnyTensor& x) { return of_matrix(name, x, f); }, "a"_a, Release());
}

// relative residual, condition, refinements, components of the factors and of the residual
using Report = std::tuple<double, double, int, int, int>;
Report as_tuple(const linalg::SolveReport& report) {
  return {report.relative_residual, report.condition, report.refinements, report.factor_components,
          report.residual_components};
}

AnyTensor solve(const AnyTensor& x, const AnyTensor& y) {
  return of_system("solve", x, y,
                   [](const auto& a, const auto& b) { return wrap(linalg::solve(a, b)); });
}
std::tuple<AnyTensor, Report> solve_with_report(const AnyTensor& x, const AnyTensor& y) {
  linalg::SolveReport report;
  AnyTensor solution = of_system("solve", x, y, [&](const auto& a, const auto& b) {
    return wrap(linalg::solve(a, b, &report));
  });
  return {std::move(solution), as_tuple(report)};
}
std::tuple<AnyTensor, Report> inv_with_report(const AnyTensor& x) {
  linalg::SolveReport report;
  AnyTensor inverse =
      of_matrix("inv", x, [&](const auto& a) { return wrap(linalg::inv(a, &report)); });
  return {std::move(inverse), as_tuple(report)};
}

std::tuple<AnyTensor, NumpyArray> lu_factor(const AnyTensor& x) {
  Tensor<std::int64_t> pivots;
  AnyTensor lu = [&] {
    const nb::gil_scoped_release free;
    return of_matrix("lu_factor", x, [&](const auto& a) {
      auto factors = linalg::lu_factor(a);
      pivots = factors.pivots;
      return wrap(factors.lu);
    });
  }();
  return {std::move(lu), to_numpy(pivots)};
}
AnyTensor lu_solve(const AnyTensor& lu, const ArrayOf<std::int64_t>& pivots, const AnyTensor& y,
                   bool transposed) {
  const auto places = view_of(pivots);
  const nb::gil_scoped_release free;
  return of_system("lu_solve", lu, y, [&]<class T, int N>(const Tensor<T, N>& a, const auto& b) {
    return wrap(linalg::lu_solve(linalg::LuFactors<T, N>{a, places}, b, transposed));
  });
}

AnyTensor solve_triangular(const AnyTensor& x, const AnyTensor& y, bool lower, bool transposed,
                           bool unit_diagonal) {
  return of_system("solve_triangular", x, y, [&](const auto& a, const auto& b) {
    return wrap(linalg::solve_triangular(
        a, b, {.lower = lower, .transposed = transposed, .unit_diagonal = unit_diagonal}));
  });
}

std::tuple<AnyTensor, AnyTensor> qr(const AnyTensor& x, bool complete) {
  return of_matrix("qr", x, [&](const auto& a) {
    const auto factors =
        linalg::qr(a, complete ? linalg::QrMode::complete : linalg::QrMode::reduced);
    return wrap_all(factors.q, factors.r);
  });
}

std::tuple<AnyTensor, AnyTensor, std::int64_t> lstsq(const AnyTensor& x, const AnyTensor& y,
                                                     double rcond) {
  return of_system("lstsq", x, y, [&](const auto& a, const auto& b) {
    const auto result = linalg::lstsq(a, b, rcond);
    return std::make_tuple(wrap(result.x), wrap(result.residuals), result.rank);
  });
}

std::tuple<AnyTensor, AnyTensor, AnyTensor> svd(const AnyTensor& x, bool full_matrices) {
  return of_matrix("svd", x, [&](const auto& a) {
    const auto factors = linalg::svd(a, full_matrices);
    return wrap_all(factors.u, factors.s, factors.vh);
  });
}

/// The order of a word: "fro", "1", "inf", "2", "nuc". Throws ValueError for other words.
linalg::MatrixNorm order_of(const std::string& word) {
  using linalg::MatrixNorm;
  if (word == "fro") return MatrixNorm::frobenius;
  if (word == "1") return MatrixNorm::one;
  if (word == "inf") return MatrixNorm::infinity;
  if (word == "2") return MatrixNorm::two;
  if (word == "nuc") return MatrixNorm::nuclear;
  throw DomainError("order '" + word + "' of a matrix norm is not 'fro', 'nuc', 1, 2 or inf");
}

}  // namespace

void bind_linalg(nb::module_& m) {
  m.def("solve", &solve, "a"_a, "b"_a, Release());
  m.def("solve_with_report", &solve_with_report, "a"_a, "b"_a, Release());
  bind_one(m, "inv", [](const auto& a) { return linalg::inv(a); });
  m.def("inv_with_report", &inv_with_report, "a"_a, Release());
  bind_one(m, "det", [](const auto& a) { return linalg::det(a); });
  bind_several(m, "slogdet", [](const auto& a) {
    const auto result = linalg::slogdet(a);
    return wrap_all(result.sign, result.logabsdet);
  });
  bind_one(m, "cholesky", [](const auto& a) { return linalg::cholesky(a); });
  bind_several(m, "lu", [](const auto& a) {
    const auto factors = linalg::lu(a);
    return wrap_all(factors.p, factors.l, factors.u);
  });
  m.def("lu_factor", &lu_factor, "a"_a);
  m.def("lu_solve", &lu_solve, "lu"_a, "pivots"_a, "b"_a, "transposed"_a);
  m.def("solve_triangular", &solve_triangular, "a"_a, "b"_a, "lower"_a, "transposed"_a,
        "unit_diagonal"_a, Release());
  m.def("qr", &qr, "a"_a, "complete"_a, Release());
  bind_one(m, "qr_r", [](const auto& a) { return linalg::qr(a, linalg::QrMode::r).r; });
  m.def("lstsq", &lstsq, "a"_a, "b"_a, "rcond"_a, Release());
  m.def("svd", &svd, "a"_a, "full_matrices"_a, Release());
  bind_one(m, "svdvals", [](const auto& a) { return linalg::svdvals(a); });
  bind_several(m, "eigh", [](const auto& a) {
    const auto result = linalg::eigh(a);
    return wrap_all(result.eigenvalues, result.eigenvectors);
  });
  bind_one(m, "eigvalsh", [](const auto& a) { return linalg::eigvalsh(a); });
  m.def(
      "matrix_power",
      [](const AnyTensor& x, std::int64_t n) {
        return of_matrix("matrix_power", x,
                         [n](const auto& a) { return wrap(linalg::matrix_power(a, n)); });
      },
      "a"_a, "n"_a, Release());
  m.def(
      "matrix_norm",
      [](const AnyTensor& x, const std::string& order) {
        return of_matrix("norm", x, [norm = order_of(order)](const auto& a) {
          return wrap(linalg::norm(a, norm));
        });
      },
      "a"_a, "order"_a, Release());
  m.def(
      "cond",
      [](const AnyTensor& x, const std::string& order) {
        return of_matrix("cond", x, [norm = order_of(order)](const auto& a) {
          return wrap(linalg::cond(a, norm));
        });
      },
      "a"_a, "order"_a, Release());
}

}  // namespace mct::python

// Second derivatives of the registry's operations.
#include "src/geometry/tensors/second.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/geometry/tensors/call.hpp"

namespace mct::geometry::tensor_detail {

namespace {

using geometry_detail::SecondTable;

template <class V>
const SecondTable& second_of(Model model) {
#define MCT_LIST(model, Class, name) &geometry_detail::second_table<Model::model, V>(),
  static const SecondTable* const all[] = {MCT_FOR_EACH_MODEL(MCT_LIST)};
#undef MCT_LIST
  return *all[int(model)];
}

/// Whether a distance or length has a corner where it is 0.
bool has_corner(TensorOperation operation) {
  return operation == TensorOperation::dist || operation == TensorOperation::dist0 ||
         operation == TensorOperation::norm;
}

/// Second derivatives of one limb as a program. It is run twice, the second time for operands that
/// differ by some roundings: points whose results then differ by more than 2^-29 of them are left,
/// because there numbers of one limb are not enough.
template <class T>
class SecondProgram {
 public:
  SecondProgram(const Call<T, 1>& call, const Program* program, const Tensor<T, 1>& grad,
                const Cotangents<T, 1>& cotangents, const std::vector<bool>& wanted)
      : call_(call), program_(program), wanted_(wanted), coordinates_{1} {
    if (program == nullptr) return;
    const std::size_t count = call.readers.size();
    for (const char kind : call.kinds) coordinates_.push_back(kind == 'p' ? call.n : 1);
    coordinates_.push_back(call.coordinates_out());
    if (cotangents[0]) radius_cotangent_ = detail::to_work(cotangents[0]->item());
    inputs_.resize(count + 1);
    for (std::size_t i = 0; i < count; ++i)
      if (cotangents[i + 1]) inputs_[i] = reader(*cotangents[i + 1], call.kinds[i] == 'n');
    inputs_[count] = reader(grad, call.gives_number());
  }

  /// Of one thread.
  auto thread() const {
    const std::size_t count = call_.readers.size();
    // operands and, a little off, again; cotangents by radius and operands; the gradient; twice the
    // results
    const std::size_t sets = program_ == nullptr ? 0 : 5 * count + 6;
    return [this, rows = LaneRows(sets, std::max(call_.n, call_.coordinates_out()), 1)](
               std::int64_t first, std::size_t points,
               const std::vector<Tensor<T, 1>>& results) mutable {
      return program_ == nullptr ? ~std::uint64_t(0) : block_of(rows, first, points, results);
    };
  }

 private:
  PointReader<T, 1> reader(const Tensor<T, 1>& x, bool is_number) const {
    return PointReader<T, 1>(is_number ? x.unsqueeze(-1) : x, call_.leading);
  }
  std::uint64_t block_of(LaneRows& rows, std::int64_t first, std::size_t points,
                         const std::vector<Tensor<T, 1>>& results) const {
    const std::size_t count = call_.readers.size();
    std::array<const double*, 3> in, near;
    call_.gather_operands(first, points, rows, in);
    near = in;
    for (std::size_t i = 0; i < count; ++i) {
      double* const moved = rows[count + i];
      near[i] = moved;
      for (int c = 0; c < coordinates_[i + 1]; ++c) {
        const double factor = 1 + 0x1p-49 * geometry_detail::step_of(i, std::size_t(c));
        for (std::size_t p = 0; p < block; ++p)
          moved[std::size_t(c) * block + p] = in[i][std::size_t(c) * block + p] * factor;
      }
    }
    std::array<const double*, 4> weights{};
    for (std::size_t i = 0; i <= count; ++i) {
      double* const to = rows[2 * count + 1 + i];
      if (inputs_[i]) gather_evenly(call_.lanes, *inputs_[i], first, points, 1, to);
      if (i < count) weights[i + 1] = to;
    }
    const double* const seed = rows[3 * count + 1];
    double* const same = rows[2 * count];
    std::fill_n(same, block, radius_cotangent_);
    weights[0] = same;
    std::array<double*, 5> here{}, there{};
    for (std::size_t i = 0; i < count + 2; ++i) {
      here[i] = rows[3 * count + 2 + i];
      there[i] = rows[4 * count + 4 + i];
    }
    double* const scratch = scratch_of_thread(*program_);
    std::uint64_t left =
        program_->run(points, call_.limbs, {in.data(), seed, weights.data()}, here.data(), scratch);
    left |= program_->run(points, call_.limbs, {near.data(), seed, weights.data()}, there.data(),
                          scratch);
    for (std::size_t i = 0; i < count + 2; ++i) {
      if (!wanted_[i]) continue;
      left |= differing(here[i], there[i], coordinates_[i]);
      scatter(call_.lanes, results[i], coordinates_[i], first, points, 1, here[i],
              Rounding<Value<T, 1>>());
    }
    return left;
  }
  static std::uint64_t differing(const double* a, const double* b, int coordinates) {
    double size[block] = {}, error[block] = {};
    for (int c = 0; c < coordinates; ++c)
      for (std::size_t p = 0; p < block; ++p) {
        const double x = a[std::size_t(c) * block + p];
        size[p] = std::max(size[p], std::fabs(x));
        error[p] = std::max(error[p], std::fabs(x - b[std::size_t(c) * block + p]));
      }
    std::uint64_t all = 0;
    for (std::size_t p = 0; p < block; ++p)
      all |= std::uint64_t(!(error[p] <= 0x1p-29 * size[p])) << p;
    return all;
  }

  const Call<T, 1>& call_;
  const Program* program_;
  const std::vector<bool>& wanted_;
  std::vector<int> coordinates_;
  double radius_cotangent_ = 0;
  std::vector<std::optional<PointReader<T, 1>>> inputs_;
};

}  // namespace

template <class T, int N>
std::vector<Tensor<T, N>> run_second(const CompiledOperation& of, const Value<T, N>& radius,
                                     const std::vector<Tensor<T, N>>& operands,
                                     const Tensor<T, N>& grad, const Cotangents<T, N>& cotangents,
                                     const std::vector<bool>& wanted) {
  const Call<T, N> call(of, radius, operands);
  call.require_gradient(grad.shape());
  // of more components the edge that projx leaves is beyond that of results
  using Edge = std::conditional_t<N == 1, T, std::conditional_t<sizeof(T) == 2, float, double>>;
  const SecondTable& table = second_of<Edge>(of.model);
  const auto formula = of.operation == TensorOperation::count ? table.convert[int(of.to)]
                                                              : table.operation[int(of.operation)];
  if (formula == nullptr) call.throw_none();
  std::optional<Tensor<T, N>> corners;
  if (has_corner(of.operation)) corners = run<T, N>(of, radius, operands);
  const geometry_detail::SecondOperation operation{
      call.name,           std::string(call.kinds),   formula, table.unit, call.n, 1,
      call.gives_number(), N == 1 ? 0x1p-48 : 0x1p-85};
  const auto by_points = [&](const auto& make) {
    return second_on_tensors<T, N>(operation, Tensor<T, N>::scalar(radius), operands, call.leading,
                                   grad, corners, cotangents, wanted, make);
  };
  if constexpr (N == 1) {
    std::vector<bool> given;
    for (const auto& cotangent : cotangents) given.push_back(cotangent.has_value());
    const bool fits = given.size() == operands.size() + 1 && wanted.size() == operands.size() + 2 &&
                      of.operation != TensorOperation::count;
    const SecondProgram<T> program(
        call,
        fits ? Program::second(of.model, of.operation, N, call.n, bits_of(wanted), bits_of(given))
             : nullptr,
        grad, cotangents, wanted);
    return by_points([&] { return program.thread(); });
  } else {
    return by_points([] { return PointByPoint(); });
  }
}

#define MCT_INSTANTIATE(T, N)                                                         \
  template std::vector<Tensor<T, N>> run_second(                                      \
      const CompiledOperation&, const Value<T, N>&, const std::vector<Tensor<T, N>>&, \
      const Tensor<T, N>&, const Cotangents<T, N>&, const std::vector<bool>&);
MCT_FOR_EACH_POINT_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry::tensor_detail

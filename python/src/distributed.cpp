// Exact sums over the processes of PyTorch's torch.distributed, or over other processes with which
// Python can exchange bytes.
#include <nanobind/stl/unique_ptr.h>

#include <cstdlib>
#include <memory>

#include "any_tensor.hpp"
#include "mctensor/distributed/collectives.hpp"
#include "mctensor/distributed/exact_sum.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

using namespace mct::distributed;

/// Processes whose bytes a Python object exchanges. It has rank, size and the methods that are
/// called here. They take arrays of bytes on the library's memory, one for each rank.
class PythonRanks final : public Communicator {
 public:
  explicit PythonRanks(nb::object ranks)
      : ranks_(std::move(ranks)),
        rank_(nb::cast<int>(ranks_.attr("rank"))),
        size_(nb::cast<int>(ranks_.attr("size"))) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  [[noreturn]] void abort(int code) override { std::_Exit(code); }

 private:
  std::vector<std::size_t> exchange_counts(const std::vector<std::size_t>& counts) override {
    const nb::gil_scoped_acquire gil;
    return nb::cast<std::vector<std::size_t>>(ranks_.attr("exchange_counts")(counts));
  }
  void exchange(const Sent& from, const Received& to, std::size_t bytes) override {
    const nb::gil_scoped_acquire gil;
    ranks_.attr("exchange")(
        parts_of(const_cast<void*>(from.values), from.counts, from.begins, bytes),
        parts_of(to.values, to.counts, to.begins, bytes));
  }
  void gather(const void* own, std::size_t count, const Received& to, std::size_t bytes) override {
    const nb::gil_scoped_acquire gil;
    ranks_.attr("gather")(array_of(const_cast<void*>(own), count * bytes),
                          parts_of(to.values, to.counts, to.begins, bytes));
  }
  void send_to_all(int root, void* values, std::size_t count, std::size_t bytes) override {
    const nb::gil_scoped_acquire gil;
    ranks_.attr("broadcast")(array_of(values, count * bytes), root);
  }

  /// Bytes as an array. Python must not keep it.
  static nb::object array_of(void* data, std::size_t bytes) {
    const std::size_t shape[1] = {bytes};
    const nb::object owner = nb::none();
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, 1, shape, owner));
  }
  static nb::list parts_of(void* data, std::span<const std::size_t> counts,
                           std::span<const std::size_t> begins, std::size_t bytes) {
    nb::list parts;
    std::size_t at = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
      const std::size_t begin = begins.empty() ? at : begins[r];
      parts.append(array_of(static_cast<char*>(data) + begin * bytes, counts[r] * bytes));
      at += counts[r];
    }
    return parts;
  }

  nb::object ranks_;
  int rank_, size_;
};

/// The interface of sums of one type.
class AnySums {
 public:
  virtual ~AnySums() = default;
  virtual void add(const AnyTensor& x, std::int64_t first) = 0;
  virtual void clear() = 0;
  virtual std::int64_t size() const = 0;
  virtual void round_to(const AnyTensor& result, Communicator* ranks) const = 0;
};

template <class T>
class SumsOf final : public AnySums {
 public:
  explicit SumsOf(std::int64_t count) : sums_(count) {}
  void add(const AnyTensor& x, std::int64_t first) override {
    sums_.add(operand_of<T, 1>("ExactSums", x), first);
  }
  void clear() override { sums_.clear(); }
  std::int64_t size() const override { return sums_.size(); }
  void round_to(const AnyTensor& result, Communicator* ranks) const override {
    const Tensor<T>& x = operand_of<T, 1>("ExactSums", result);
    if (!x.is_contiguous() || x.numel() != sums_.size())
      throw ShapeError("ExactSums: a result of shape " + to_string(x.shape()) +
                       ", expected one element for each of " + std::to_string(sums_.size()) +
                       " sums");
    T* const data = x.data();
    if (ranks != nullptr) {
      all_reduce(*ranks, sums_, std::span<T* const>(&data, 1));
    } else {
      sums_.round_to(std::span<T>(data, std::size_t(x.numel())));
    }
  }

 private:
  ExactSums<T> sums_;
};

std::unique_ptr<AnySums> make_sums(const std::string& dtype, std::int64_t count) {
  return with_dtype(dtype, [&]<class T, int N>() -> std::unique_ptr<AnySums> {
    return std::make_unique<SumsOf<T>>(count);
  });
}

/// The exact sums over the last dimension, rounded to their type or to pairs of doubles.
AnyTensor sum_exactly(const AnyTensor& x, bool to_pairs) {
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>& values) -> AnyTensor {
        if constexpr (std::is_same_v<T, double> && N <= 2) {
          return to_pairs ? wrap(exact_sum<2>(values)) : wrap(exact_sum(values));
        } else if constexpr (N == 1) {
          if (!to_pairs) return wrap(exact_sum(values));
        }
        throw nb::type_error(
            ("exact_sum: numbers of " + dtype_name<T, N>() + " cannot be summed exactly").c_str());
      },
      x.tensor);
}

}  // namespace

void bind_distributed(nb::module_& m) {
  const auto free = Release();
  nb::class_<PythonRanks>(m, "Ranks", "Processes whose bytes a Python object exchanges.")
      .def(nb::init<nb::object>(), "ranks"_a);
  m.def(
      "all_reduce",
      [](PythonRanks& ranks, const AnyTensor& x) {
        std::visit([&](const auto& values) { all_reduce(ranks, values); }, x.tensor);
      },
      "ranks"_a, "tensor"_a, free,
      "Replaces elements by their sums over all ranks, exact and rounded once.");
  nb::class_<AnySums>(m, "ExactSums", "Sums of any number of arrays, exact, and rounded once.")
      .def("__len__", &AnySums::size)
      .def("add", &AnySums::add, "tensor"_a, "first"_a, free,
           "Adds the elements of a tensor to the sums from the first one on.")
      .def("clear", &AnySums::clear, "No terms.")
      .def(
          "round_to",
          [](const AnySums& sums, const AnyTensor& result, PythonRanks* ranks) {
            const nb::gil_scoped_release released;
            sums.round_to(result, ranks);
          },
          "result"_a, "ranks"_a.none(),
          "The sums of all terms, those of all ranks if there are some, rounded.");
  m.def("exact_sum", &sum_exactly, "x"_a, "to_pairs"_a, free,
        "The sums over the last dimension, exact and rounded once.");
  m.def("exact_sums", &make_sums, "dtype"_a, "count"_a, "No sums yet.");
}

}  // namespace mct::python

// Exact sums over the ranks of mpirun beside MPI_Allreduce of the same bytes.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "mctensor/distributed/collectives.hpp"
#include "mctensor/distributed/mpi.hpp"
#include "mctensor/tensor/threads.hpp"

namespace {

using namespace mct;
using namespace mct::distributed;
using Clock = std::chrono::steady_clock;

constexpr int repetitions = 25;

/// The medians of the seconds of calls that take turns, each begun by all ranks together and over
/// when the last one is.
template <class... F>
std::vector<double> medians(const F&... calls) {
  std::vector<std::vector<double>> seconds(sizeof...(calls));
  const auto time = [&](std::size_t which, const auto& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto begin = Clock::now();
    call();
    double own = std::chrono::duration<double>(Clock::now() - begin).count();
    MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    seconds[which].push_back(own);
  };
  for (int i = 0; i < repetitions; ++i) {
    std::size_t which = 0;
    (time(which++, calls), ...);
  }
  std::vector<double> result;
  for (auto& of_call : seconds) {
    std::nth_element(of_call.begin(), of_call.begin() + repetitions / 2, of_call.end());
    result.push_back(of_call[repetitions / 2]);
  }
  return result;
}

/// Numbers as gradients are: normal, of like size.
template <class T>
std::vector<T> gradients(std::size_t count, int rank) {
  std::mt19937_64 generator(std::uint64_t(rank) + 1);
  std::normal_distribution<double> normal;
  std::vector<T> values(count);
  for (T& x : values) x = T(1e-3 * normal(generator));
  return values;
}

template <class T>
void measure(MpiCommunicator& ranks, const std::string& name, std::size_t count, int limbs) {
  std::vector<std::vector<T>> values;
  for (int k = 0; k < limbs; ++k) values.push_back(gradients<T>(count, ranks.rank()));
  std::vector<T*> at;
  for (auto& limb : values) at.push_back(limb.data());
  const std::size_t bytes = count * sizeof(T) * std::size_t(limbs);
  std::vector<float> plain(bytes / sizeof(float), 1.0F);
  std::vector<float> sums(plain.size());
  ExactSums<T> exact(std::int64_t(count), limbs);
  for (int term = 0; term < 4; ++term)
    exact.add(std::span<const T* const>(at.data(), at.size()), std::int64_t(count));
  const auto seconds = medians(
      [&] {
        MPI_Allreduce(plain.data(), sums.data(), int(plain.size()), MPI_FLOAT, MPI_SUM,
                      MPI_COMM_WORLD);
      },
      [&] { all_reduce(ranks, std::span<T* const>(at), std::int64_t(count)); },
      [&] { all_reduce(ranks, exact, std::span<T* const>(at)); });
  const double part = double(ranks.size() - 1) / double(ranks.size());
  const double of_sums =
      double(sizeof(typename ExactSums<T>::Wire) * std::size_t(exact.wire_planes()));
  if (ranks.rank() > 0) return;
  fmt::print("{:<10} {:>9} {:>12.0f} {:>10.3f} {:>10.3f} {:>6.2f} {:>12.0f} {:>10.3f} {:>6.2f}\n",
             name, count, 2 * part * double(bytes), 1e3 * seconds[0], 1e3 * seconds[1],
             seconds[1] / seconds[0], part * (double(bytes) + of_sums * double(count)),
             1e3 * seconds[2], seconds[2] / seconds[0]);
}

}  // namespace

int main() {
  MpiCommunicator ranks;
  set_num_threads(std::max(1, num_threads() / ranks.size_here()));
  if (ranks.rank() == 0)
    fmt::print(
        "{} ranks, medians of {} calls in ms; bytes: what a rank sends; plain: MPI_Allreduce of as "
        "many bytes of float;\nexact: all_reduce of one array; sums: all_reduce of ExactSums of "
        "four arrays\n\n{:<10} {:>9} {:>12} {:>10} {:>10} {:>6} {:>12} {:>10} {:>6}\n",
        ranks.size(), repetitions, "type", "elements", "bytes", "plain", "exact", "ratio", "bytes",
        "sums", "ratio");
  for (const std::size_t count :
       {std::size_t(1) << 12, std::size_t(1) << 18, std::size_t(1) << 22}) {
    measure<float>(ranks, "float", count, 1);
    measure<bfloat16>(ranks, "bfloat16", count, 1);
    measure<half>(ranks, "float16", count, 1);
    measure<double>(ranks, "double", count, 1);
    measure<bfloat16>(ranks, "bf16x2", count, 2);
    measure<double>(ranks, "f64x2", count, 2);
  }
  return 0;
}

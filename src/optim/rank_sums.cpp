#include "src/optim/rank_sums.hpp"

#include <array>
#include <iterator>
#include <numeric>

namespace mct::optim_detail {

using distributed::Communicator;
using distributed::ExactSums;
using optim::StepReport;

namespace {

template <std::size_t N>
std::array<double, N> rounded(Communicator* ranks, const ExactSums<double>& sums) {
  std::array<double, N> result;
  double* const to = result.data();
  if (ranks != nullptr)
    distributed::all_reduce(*ranks, sums, std::span<double* const>(&to, 1));
  else
    sums.round_to(std::span<double>(result));
  return result;
}

}  // namespace

std::int64_t total_of(Communicator* ranks, std::int64_t count) {
  if (ranks == nullptr) return count;
  const auto all = ranks->all_gather(std::span<const std::int64_t>(&count, 1)).values;
  return std::accumulate(all.begin(), all.end(), std::int64_t(0));
}

double total_of(Communicator* ranks, const std::vector<double>& terms) {
  ExactSums<double> sum(1);
  for (const double& term : terms) sum.add(std::span<const double>(&term, 1));
  return rounded<1>(ranks, sum)[0];
}

StepReport total_of(Communicator* ranks, const std::vector<StepReport>& reports) {
  constexpr double StepReport::*measures[] = {&StepReport::update_squared,
                                              &StepReport::effective_squared,
                                              &StepReport::update_times_effective};
  constexpr std::int64_t StepReport::*counts[] = {
      &StepReport::elements,     &StepReport::measured,  &StepReport::updates,
      &StepReport::lost_updates, &StepReport::v_updates, &StepReport::lost_v_updates};
  constexpr std::size_t length = std::size(measures) + std::size(counts);
  StepReport all;
  ExactSums<double> sums(length);
  for (const StepReport& report : reports) {
    all += report;
    std::array<double, length> terms;
    auto term = terms.begin();
    for (const auto measure : measures) *term++ = report.*measure;
    for (const auto count : counts) *term++ = double(report.*count);  // far below 2^53
    sums.add(std::span<const double>(terms));
  }
  const auto totals = rounded<length>(ranks, sums);
  auto sum = totals.begin();
  for (const auto measure : measures) all.*measure = *sum++;
  for (const auto count : counts) all.*count = std::int64_t(*sum++);
  return all;
}

}  // namespace mct::optim_detail

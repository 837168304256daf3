// MC-AdamW on several ranks. Each rank holds only the states of its own span of the parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "mctensor/distributed/collectives.hpp"
#include "mctensor/optim/mc_adamw.hpp"

namespace mct::optim {

/// How ranks send their gradients to each other.
enum class GradientExchange {
  /// Exactly: 8 bytes for each parameter of float variables, 4 bytes for each parameter of 16-bit
  /// variables, and 16 bytes more for each lost term (see ExactSums), a part of a sum that does not
  /// fit. The sum over all ranks is exact and then rounded once to the type of the variables.
  exact,
  /// Each rank rounds its own sum to two bfloat16 (at least 16 bits): 4 bytes for each parameter.
  /// The rank keeps the rounding error in float and adds it to its sum of the next step (error
  /// feedback). The result depends on the number of ranks. Only for variables of float.
  bf16x2,
};

/// McAdamW for data parallelism with the first stage of ZeRO: all ranks have the same model, and
/// each rank contributes gradients. The elements of all parameters have positions, one after the
/// other; each parameter begins at a multiple of 128, as in McAdamW. Each rank owns a span of whole
/// blocks of 2048 elements. The rank adds up the gradients of its span, updates the span, and sends
/// the new theta to the other ranks. It holds theta of all parameters and the other arrays of its
/// span.
///
/// With GradientExchange::exact a step has the same bits as a step of McAdamW with the summed
/// gradients, for every strategy and any number of ranks. The reason is that random numbers and
/// scales depend on positions, which are the same. Norm and metrics are exact sums of doubles, one
/// for each block of 2048 elements. So they do not depend on the number of ranks either, but their
/// last digits differ from McAdamW's.
///
/// You may write to single elements of variables between steps, as in McAdamW. If ranks write
/// different numbers, the number of the rank that owns the element is used.
///
/// Files do not hold the errors of error feedback. save() sets them to zero on every rank, so that
/// the same run has the same bits with and without a restart from the file.
///
/// Sources: Yu 2024, Alg. 9; Rajbhandari et al. 2020 (ZeRO); error feedback: Seide et al. 2014,
/// Karimireddy et al. 2019.
template <class T = bfloat16, class P = float>
class ShardedMcAdamW : private AdamWState {
 public:
  using AdamWState::options, AdamWState::strategy, AdamWState::parameters;
  using AdamWState::steps, AdamWState::skipped_steps;

  using Ranks = std::shared_ptr<distributed::Communicator>;

  /// Collective: all ranks must call it. Without `ranks` there is one rank. Rounds the variables'
  /// values as McAdamW does. Throws DomainError as McAdamW does, and for bf16x2 unless P is float.
  /// Also throws DomainError if ranks differ in the parameters, their values, the strategy or the
  /// options.
  ShardedMcAdamW(std::vector<Variable<P>> parameters, Strategy strategy,
                 const AdamWOptions& options = {}, Ranks ranks = nullptr,
                 GradientExchange exchange = GradientExchange::exact);

  /// Adds the variables' gradients to this rank's sums and clears the gradients. Each rank may call
  /// it any number of times for a step, which uses the sum over all calls and ranks.
  void accumulate();
  /// Collective. One step, as McAdamW::step(), with the accumulated gradients; then the sums are
  /// empty. The report is the same on all ranks. A parameter without a gradient on any rank stays
  /// as it is. options() must be the same on all ranks.
  StepReport step();
  StepReport step(double max_grad_norm);

  /// The positions of the elements that this rank updates.
  distributed::Span span() const { return span_; }
  /// The number of lost terms (see ExactSums) in this rank's sums of the last step.
  std::int64_t lost_terms() const { return lost_terms_; }
  /// The bytes that this rank holds. `gradients` includes its exact sums and the gradients of its
  /// span.
  ParameterBytes bytes() const;

  /// Collective. Rank 0 gathers all states and writes the file that McAdamW would write. Throws
  /// IoError on rank 0 only.
  void save(const std::filesystem::path& path);
  /// Every rank reads the file, which McAdamW or any number of ranks may have written. Throws as
  /// McAdamW::load does.
  void load(const std::filesystem::path& path);

 private:
  /// The pieces that a step updates: the elements of one variable in one block of 2048.
  struct Pieces;

  int rank() const { return ranks_ ? ranks_->rank() : 0; }
  void require_alike() const;
  /// Theta of a whole variable.
  const unsigned char* theta_of(std::size_t i) const;
  /// Copies the part of a whole variable's arrays that this rank keeps.
  void take(std::size_t i, const AdamWMemory& whole);
  void show(std::size_t i) const;  // writes theta to the variable
  Pieces pieces(bool with_gradient) const;
  void share_gradients();
  void compress_and_share();
  StepReport step_all(const double* max_grad_norm);
  double norm_of(const Pieces& pieces) const;
  StepReport update(const Pieces& pieces, const AdamWOptions& options);
  /// Numbers that the caller has written to variables become the weights.
  void take_edits(const Pieces& pieces) const;
  void gather_theta();
  /// The arrays of all variables, end to end.
  std::vector<unsigned char> gather(const KeptArray& array) const;

  std::vector<Variable<P>> variables_;
  Ranks ranks_;
  GradientExchange exchange_;
  distributed::Span span_;
  std::vector<unsigned char> theta_;  // of all positions
  distributed::ExactSums<P> sums_;
  std::vector<P> gradient_;         // of the span
  std::vector<float> residual_;     // of all positions, of bf16x2 alone
  std::vector<char> has_gradient_;  // of each variable
  std::int64_t lost_terms_ = 0;
};

extern template class ShardedMcAdamW<bfloat16, float>;
extern template class ShardedMcAdamW<half, float>;
extern template class ShardedMcAdamW<bfloat16, bfloat16>;
extern template class ShardedMcAdamW<half, half>;

}  // namespace mct::optim

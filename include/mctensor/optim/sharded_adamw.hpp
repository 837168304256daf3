// MC-AdamW on several ranks, each of which holds the states of its span of the parameters alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "mctensor/distributed/collectives.hpp"
#include "mctensor/optim/mc_adamw.hpp"

namespace mct::optim {

/// What ranks send of their gradients.
enum class GradientExchange {
  /// All that the exact sum needs: 8 bytes for each parameter of float variables, 4 for those of 16
  /// bits, and 16 for each number that does not fit. The sum is exact and rounded once to the type
  /// of the variables.
  exact,
  /// Each rank's own sum, rounded to two bfloat16 (16 bits and more): 4 bytes. What that leaves is
  /// kept in float and added to the sum of the next step (error feedback). The result depends on
  /// the number of ranks. Of variables of float alone.
  bf16x2,
};

/// McAdamW for models that are the same on all ranks, while gradients come from all of them: data
/// parallelism with the first stage of ZeRO. Parameters lie one after the other, each from a
/// multiple of 128 on, as McAdamW numbers them; a rank adds up the gradients of its span, of whole
/// blocks of 2048 elements, steps it, and gives all others the new theta. It holds theta of all
/// parameters and the other arrays of its span.
///
/// A step is that of McAdamW with the summed gradients, bit for bit, for every strategy and any
/// number of ranks: random numbers and scales belong to groups of 128 elements, and are those of
/// McAdamW because positions are. Norm and metrics are added up exactly from doubles of blocks of
/// 2048 elements, so that they are the same for any number of ranks, too, but in the last digits
/// not those of McAdamW.
///
/// What is written to variables between steps counts, as in McAdamW, each element by itself; where
/// ranks write different numbers, that of the rank whose span it is.
///
/// Error feedback is no part of a file: save() drops on every rank what is left to the next step,
/// so that a run that goes on behind it and one that is resumed have the same bits.
///
/// Sources: Yu 2024, Alg. 9; Rajbhandari et al. 2020 (ZeRO); error feedback: Seide et al. 2014,
/// Karimireddy et al. 2019.
template <class T = bfloat16, class P = float>
class ShardedMcAdamW : private AdamWState {
 public:
  using AdamWState::options, AdamWState::strategy, AdamWState::parameters;
  using AdamWState::steps, AdamWState::skipped_steps;

  using Ranks = std::shared_ptr<distributed::Communicator>;

  /// Collective. Without `ranks` there is one. Rounds the variables' values as McAdamW does. Throws
  /// DomainError as McAdamW does, for bf16x2 with variables of T, and if ranks differ in the
  /// parameters, their values, the strategy or the options.
  ShardedMcAdamW(std::vector<Variable<P>> parameters, Strategy strategy,
                 const AdamWOptions& options = {}, Ranks ranks = nullptr,
                 GradientExchange exchange = GradientExchange::exact);

  /// Adds the variables' gradients to the sums, one term of each, and clears them. Any number of
  /// times for a step on any rank: the gradient of a step is the sum of all.
  void accumulate();
  /// Collective. One step with all that was accumulated since the last one; the sums are empty
  /// then. What McAdamW says of step() and its report, which is the same on all ranks; a parameter
  /// without a gradient on any rank stays as it is. options() must be the same on all ranks.
  StepReport step();
  StepReport step(double max_grad_norm);

  /// The positions of the elements that this rank steps.
  distributed::Span span() const { return span_; }
  /// Of the sums of the last step: terms that no level held, on this rank.
  std::int64_t lost_terms() const { return lost_terms_; }
  /// What this rank holds; of gradients its sums and those of its span, too.
  ParameterBytes bytes() const;

  /// Collective. Rank 0 writes the file that McAdamW would write, for which it holds all states for
  /// a moment. Throws IoError, on rank 0 alone.
  void save(const std::filesystem::path& path);
  /// Reads a file of McAdamW or of any number of ranks, on every rank. Throws as McAdamW::load.
  void load(const std::filesystem::path& path);

 private:
  /// What a step updates: elements of one variable in one block of 2048 each.
  struct Pieces;

  int rank() const { return ranks_ ? ranks_->rank() : 0; }
  void require_alike() const;
  /// Theta of a whole variable, wherever it is stepped.
  const unsigned char* theta_of(std::size_t i) const;
  /// Takes over the arrays of a whole variable, as far as they are kept here.
  void take(std::size_t i, const AdamWMemory& whole);
  void show(std::size_t i) const;  // writes theta to the variable
  Pieces pieces(bool with_gradient) const;
  void share_gradients();
  void compress_and_share();
  StepReport step_all(const double* max_grad_norm);
  double norm_of(const Pieces& pieces) const;
  StepReport update(const Pieces& pieces, const AdamWOptions& options);
  /// Takes over what was written to the variables of the pieces.
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

// MC-AdamW on several ranks, each of which holds the states of its span of the parameters alone.
#pragma once

#include <array>
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
class ShardedMcAdamW {
 public:
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

  AdamWOptions& options() { return options_; }
  Strategy strategy() const { return strategy_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t skipped_steps() const { return skipped_; }
  std::int64_t parameters() const;
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
  /// Elements of one variable in one block.
  struct Piece {
    std::size_t variable;
    distributed::Span at;  // positions
  };

  int rank() const { return ranks_ ? ranks_->rank() : 0; }
  void require_alike() const;
  void set_values();
  void show(std::size_t i) const;
  std::vector<Piece> pieces_of(const distributed::Span& span, bool with_gradient) const;
  /// The arrays of positions of which all but theta lie in the span.
  AdamWMemory memory_at(const distributed::Span& at) const;
  void share_gradients();
  void compress_and_share();
  void share_flags();
  StepReport step_all(const double* max_grad_norm);
  double norm_of(const std::vector<Piece>& pieces) const;
  std::int64_t count_nonfinite(const std::vector<Piece>& pieces) const;
  std::vector<StepReport> update(const std::vector<Piece>& pieces, const AdamWOptions& options);
  StepReport total_of(const std::vector<StepReport>& reports) const;
  std::int64_t total_of(std::int64_t count) const;
  /// Takes over what was written to the variables of the pieces, which lie in the span.
  void take_edits(const std::vector<Piece>& pieces) const;
  void gather_theta();
  std::vector<unsigned char> gather_array(std::size_t k) const;

  std::vector<Variable<P>> variables_;
  Strategy strategy_;
  AdamWOptions options_;
  Ranks ranks_;
  GradientExchange exchange_;
  std::vector<std::int64_t> first_;  // positions, and the end of all
  distributed::Span span_;
  mutable std::vector<unsigned char> theta_;                                   // of all positions
  mutable std::array<std::vector<unsigned char>, kept_arrays.size()> arrays_;  // of the span
  distributed::ExactSums<P> sums_;
  std::vector<P> gradient_;         // of the span
  std::vector<float> residual_;     // of all positions, of bf16x2 alone
  std::vector<char> has_gradient_;  // of each variable
  std::vector<std::int64_t> updates_;
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t lost_terms_ = 0;
};

extern template class ShardedMcAdamW<bfloat16, float>;
extern template class ShardedMcAdamW<half, float>;
extern template class ShardedMcAdamW<bfloat16, bfloat16>;
extern template class ShardedMcAdamW<half, half>;

}  // namespace mct::optim

#include "mctensor/optim/adamw_state.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/base/require_index.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/block_scales.hpp"

namespace mct::optim {

AdamWState::AdamWState(const char* owner, Strategy strategy, Format format,
                       const AdamWOptions& options, std::vector<Shape> shapes)
    : owner_(owner),
      strategy_(strategy),
      format_(format),
      layout_(layout_of(strategy)),
      options_(options),
      shapes_(std::move(shapes)),
      first_(1, 0),
      memory_(shapes_.size()),
      updates_(shapes_.size(), 0) {
  validate(options_, strategy_, format_);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    memory_[i].count = numel(shapes_[i]);
    memory_[i].first = first_.back();
    first_.push_back(first_.back() +
                     (memory_[i].count + scale_group - 1) / scale_group * scale_group);
  }
}

std::int64_t AdamWState::parameters() const {
  std::int64_t sum = 0;
  for (const Shape& shape : shapes_) sum += numel(shape);
  return sum;
}

void AdamWState::require_index(const char* function, std::size_t i) const {
  base_detail::require_index((std::string(owner_) + ": " + function + ": parameter").c_str(), i,
                             memory_.size(), "parameters");
}

const AdamWMemory& AdamWState::memory(std::size_t i) const {
  require_index("memory", i);
  return memory_[i];
}

std::size_t AdamWState::bytes_of(const KeptArray& array, std::size_t i) const {
  return (array.bytes(memory_[i].count, layout_) + 1) / 2 * 2;
}

std::shared_ptr<void> AdamWState::allocate_here(std::size_t bytes) {
  auto storage = std::make_shared<Storage>(Storage::allocate(bytes, true));
  return {storage, storage->data()};
}

void AdamWState::allocate(const Wants& wants, const Allocate& allocate) {
  const auto aligned = [](std::size_t bytes) {
    return (bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
  };
  for (const KeptArray& array : kept_arrays) {
    if (!array.is_kept(layout_)) continue;
    std::size_t total = 0;
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (wants(array, i)) {
        total += aligned(bytes_of(array, i));
        allocated_ += std::int64_t(bytes_of(array, i));
      }
    blocks_.push_back(allocate(total));
    auto* next = static_cast<unsigned char*>(blocks_.back().get());
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (wants(array, i)) {
        memory_[i].*array.data = next;
        next += aligned(bytes_of(array, i));
      }
  }
}

void AdamWState::set_weights(std::size_t i, const Tensor<float>& value) {
  require_index("set_value", i);
  if (value.shape() != shapes_[i])
    throw ShapeError(std::string(owner_) + ": a value of shape " + mct::to_string(value.shape()) +
                     " for a parameter of shape " + mct::to_string(shapes_[i]));
  optim_detail::split_weights(strategy_, format_, value.contiguous().data(), memory_[i]);
}

Tensor<float> AdamWState::weights(std::size_t i) const {
  require_index("exact_value", i);
  auto result = Tensor<float>::uninitialized(shapes_[i]);
  optim_detail::join_weights(strategy_, format_, memory_[i], result.data());
  return result;
}

void AdamWState::require_variables(std::size_t bytes_of_number) const {
  if (layout_.theta != bytes_of_number && bytes_of_number != sizeof(float))
    throw DomainError(std::string(owner_) + ": " + to_string(strategy_) +
                      " needs variables of float, not of " + to_string(format_));
}

void AdamWState::require_norm(double max_grad_norm) const {
  if (!(max_grad_norm > 0))
    throw DomainError(std::string(owner_) + ": max_grad_norm " + number_text(max_grad_norm) +
                      " is not positive");
}

StepReport AdamWState::take_step(const double* max_grad_norm, const StepParts& parts) {
  AdamWOptions options = options_;
  StepReport report;
  report.elements = parts.elements;
  double norm = 0;
  bool surely_finite = false;
  if (max_grad_norm != nullptr) {
    const double plain_norm = parts.norm();
    surely_finite = plain_norm < optim_detail::overflow_limit(strategy_, format_);
    norm = std::abs(options.grad_scale) * plain_norm;
    options.grad_scale *= clip_factor(norm, *max_grad_norm);
  }
  if (!surely_finite) report.nonfinite = parts.nonfinite();
  report.skipped = report.nonfinite > 0;
  if (!report.skipped) report = parts.update(options);
  ++(report.skipped ? skipped_ : steps_);
  report.grad_norm = norm;
  return report;
}

// Files

namespace {

/// Throws IoError unless the bytes of an array are such as a step writes: scales in the bytes of
/// low, codes of the square root of m, of which none has the most negative number.
void check_bytes(const StateReader& reader, const std::string& name, const KeptArray& array,
                 Content content, const std::uint8_t* bytes, std::int64_t count) {
  if (content == Content::roots && !array.never_negative)
    for (std::int64_t i = 0; i < count; ++i)
      if (bytes[i] == 0x80) reader.fail(name, "holds a code out of range");
  if (content == Content::lower_byte)
    for (std::int64_t i = 0; i < count; i += scale_block) {
      const auto scales = detail::scales_of_block(bytes + i);
      if (scales.v_code > detail::BlockScales::largest_v_code ||
          scales.m_code > detail::BlockScales::largest_m_code)
        reader.fail(name, "holds a scale out of range");
    }
}

StateValues values_of(const KeptArray& array, Content content) {
  if (content != Content::narrow && content != Content::float32) return StateValues::any;
  return array.never_negative ? StateValues::not_negative : StateValues::finite;
}

}  // namespace

template <class Visit>
void AdamWState::for_each_entry(std::size_t i, const Visit& visit) const {
  for (const KeptArray& array : kept_arrays) {
    if (!array.is_kept(layout_)) continue;
    const Content content = array.content(composition_of(strategy_));
    const auto visit_words = [&]<class Word>(Word* data) {
      const auto words = std::int64_t(bytes_of(array, i) / sizeof(Word));
      // as the parameter, where there is one number for each
      const Shape shape = words == numel(shapes_[i]) ? shapes_[i] : Shape{words};
      visit(std::to_string(i) + "." + array.name, array, content,
            Tensor<Word>::from_memory(data, shape));
    };
    void* const data = memory_[i].*array.data;
    if (content == Content::float32) {
      visit_words(static_cast<float*>(data));
    } else if (format_ == Format::float16) {
      visit_words(static_cast<half*>(data));
    } else {
      visit_words(static_cast<bfloat16*>(data));
    }
  }
}

StateDescription AdamWState::description() const {
  return {{"mctensor.optimizer", "McAdamW"},
          {"mctensor.strategy", to_string(strategy_)},
          {"mctensor.type", to_string(format_)}};
}

StateCounts AdamWState::counts() const { return {steps_, skipped_, updates_}; }

void AdamWState::set_counts(const StateCounts& counts) {
  if (counts.updates.size() != updates_.size())
    throw DomainError(std::string(owner_) + ": counts of " + std::to_string(counts.updates.size()) +
                      " parameters, expected " + std::to_string(updates_.size()));
  updates_ = counts.updates;
  steps_ = counts.steps;
  skipped_ = counts.skipped;
}

void AdamWState::save_to(StateWriter& writer) const {
  writer.describe(description(), counts());
  // the seed, bit for bit
  writer.add("seed", Tensor<std::int64_t>::from_values({std::int64_t(options_.seed)}));
  for (std::size_t i = 0; i < memory_.size(); ++i)
    for_each_entry(i, [&](const std::string& name, const KeptArray& /*array*/, Content /*content*/,
                          const auto& tensor) { writer.add(name, tensor); });
}

void AdamWState::load_from(StateReader& reader) {
  const StateCounts counts = reader.counts(memory_.size());
  const auto seed = reader.state<std::int64_t, 1>("seed", {1}, StateValues::any).item();
  // everything is read before the first array is written
  std::vector<std::function<void()>> writes;
  for (std::size_t i = 0; i < memory_.size(); ++i)
    for_each_entry(i, [&](const std::string& name, const KeptArray& array, Content content,
                          const auto& tensor) {
      using Word = typename std::remove_cvref_t<decltype(tensor)>::Component;
      if (content == Content::marks && !reader.has(name)) {  // a file of before there were marks
        writes.emplace_back([this, i] { optim_detail::set_marks(strategy_, memory_[i]); });
        return;
      }
      const auto loaded = reader.state<Word, 1>(name, tensor.shape(), values_of(array, content));
      check_bytes(reader, name, array, content,
                  reinterpret_cast<const std::uint8_t*>(loaded.data()),
                  std::int64_t(sizeof(Word)) * loaded.numel());
      writes.emplace_back([tensor, loaded] { tensor.copy_(loaded); });
    });
  reader.finish();
  for (const auto& write : writes) write();
  set_counts(counts);
  options_.seed = std::uint64_t(seed);
}

}  // namespace mct::optim

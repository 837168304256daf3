// What files hold of McAdamW.
#include <functional>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/state_file.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/block_scales.hpp"

namespace mct::optim {

namespace {

/// Codes of e4m3, two in a T: no NaN and, if they are so, none below 0.
template <class T>
void check_codes(const StateReader& reader, const std::string& name, const Tensor<T>& pairs,
                 bool never_negative) {
  const std::int64_t count = pairs.numel();
  for (std::int64_t i = 0; i < count; ++i)
    for (const int shift : {0, 8}) {
      const unsigned code = (unsigned(pairs.data()[i].bits()) >> shift) & 0xffu;
      if ((code & 0x7fu) == 0x7fu) reader.fail(name, "holds NaN");
      if (never_negative && code > 0x80u) reader.fail(name, "holds a negative number");
    }
}

/// Scales of blocks in the bytes of low, two in a T.
template <class T>
void check_scales(const StateReader& reader, const std::string& name, const Tensor<T>& pairs) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(pairs.data());
  const std::int64_t count = 2 * pairs.numel();
  for (std::int64_t i = 0; i < count; i += scale_block) {
    const auto scales = detail::scales_of_block(bytes + i);
    if (scales.v_code > detail::BlockScales::largest_v_code ||
        scales.m_code > detail::BlockScales::largest_m_code)
      reader.fail(name, "holds a scale out of range");
  }
}
/// Codes of the square root of m, two in a T: none has the most negative number.
template <class T>
void check_roots(const StateReader& reader, const std::string& name, const Tensor<T>& pairs) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(pairs.data());
  const std::int64_t count = 2 * pairs.numel();
  for (std::int64_t i = 0; i < count; ++i)
    if (bytes[i] == 0x80) reader.fail(name, "holds a code out of range");
}

/// What is not a number but bits.
constexpr bool is_code(Content content) {
  return content == Content::e4m3 || content == Content::lower_bits ||
         content == Content::lower_byte || content == Content::roots || content == Content::marks;
}

}  // namespace

template <class T, class P>
template <class Visit>
void McAdamW<T, P>::for_each_entry(std::size_t i, const Visit& visit) const {
  const Composition parts = composition_of(strategy_);
  const Layout layout = layout_of(parts);
  for (std::size_t k = 0; k < kept_arrays.size(); ++k) {
    const KeptArray& array = kept_arrays[k];
    if (!array.is_kept(layout)) continue;
    const Storage& storage = slots_[i].arrays[k];
    const Content content = array.content(parts);
    const bool is_float = content == Content::float32 || content == Content::scales;
    const auto words = std::int64_t(storage.bytes() / (is_float ? sizeof(float) : sizeof(T)));
    // as the parameter, where there is one number for each
    const Shape& own = variables_[i].shape();
    const Shape shape = words == numel(own) ? own : Shape{words};
    const std::string name = std::to_string(i) + "." + array.name;
    if (is_float) {
      visit(name, array, content,
            Tensor<float>::from_memory(static_cast<float*>(storage.data()), shape));
    } else {
      visit(name, array, content, Tensor<T>::from_memory(static_cast<T*>(storage.data()), shape));
    }
  }
}

template <class T, class P>
StateDescription McAdamW<T, P>::description() const {
  return {{"mctensor.optimizer", "McAdamW"},
          {"mctensor.strategy", to_string(strategy_)},
          {"mctensor.type", to_string(format_of<T>)}};
}

template <class T, class P>
void McAdamW<T, P>::save(const std::filesystem::path& path) const {
  StateWriter writer;
  save_to(writer);
  writer.save(path);
}

template <class T, class P>
void McAdamW<T, P>::load(const std::filesystem::path& path) {
  StateReader reader(path, description());
  load_from(reader);
}

template <class T, class P>
StateCounts McAdamW<T, P>::counts() const {
  StateCounts counts{steps_, skipped_, {}};
  for (const Slot& slot : slots_) counts.updates.push_back(slot.steps);
  return counts;
}

template <class T, class P>
void McAdamW<T, P>::set_counts(const StateCounts& counts) {
  if (counts.updates.size() != slots_.size())
    throw DomainError("McAdamW: counts of " + std::to_string(counts.updates.size()) +
                      " parameters, expected " + std::to_string(slots_.size()));
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].steps = counts.updates[i];
  steps_ = counts.steps;
  skipped_ = counts.skipped;
}

template <class T, class P>
void McAdamW<T, P>::save_to(StateWriter& writer) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) take_edits(i);
  writer.describe(description(), counts());
  // the seed, bit for bit
  writer.add("seed", Tensor<std::int64_t>::from_values({std::int64_t(options_.seed)}));
  for (std::size_t i = 0; i < slots_.size(); ++i)
    for_each_entry(i, [&](const std::string& name, const KeptArray& /*array*/, Content /*content*/,
                          const auto& tensor) { writer.add(name, tensor); });
}

template <class T, class P>
void McAdamW<T, P>::load_from(StateReader& reader) {
  const StateCounts counts = reader.counts(slots_.size());
  const auto seed = reader.state<std::int64_t, 1>("seed", {1}, StateValues::any).item();
  // everything is read before the first array is written
  std::vector<std::function<void()>> writes;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    for_each_entry(i, [&](const std::string& name, const KeptArray& array, Content content,
                          const auto& tensor) {
      using Element = typename std::remove_cvref_t<decltype(tensor)>::Component;
      if (content == Content::marks && !reader.has(name)) {  // a file of before there were marks
        writes.emplace_back(
            [this, i] { optim_detail::set_marks(composition_of(strategy_), slots_[i].memory); });
        return;
      }
      const auto number = array.never_negative ? StateValues::not_negative : StateValues::finite;
      const auto loaded = reader.state<Element, 1>(name, tensor.shape(),
                                                   is_code(content) ? StateValues::any : number);
      if constexpr (std::is_same_v<Element, T>) {
        if (content == Content::e4m3) check_codes(reader, name, loaded, array.never_negative);
        if (content == Content::lower_byte) check_scales(reader, name, loaded);
        if (content == Content::roots && !array.never_negative) check_roots(reader, name, loaded);
      }
      writes.emplace_back([tensor, loaded] { tensor.copy_(loaded); });
    });
  reader.finish();
  for (const auto& write : writes) write();
  set_counts(counts);
  options_.seed = std::uint64_t(seed);
  for (std::size_t i = 0; i < slots_.size(); ++i) show(i);
}

#define MCT_INSTANTIATE(T, P)                                            \
  template StateCounts McAdamW<T, P>::counts() const;                    \
  template void McAdamW<T, P>::set_counts(const StateCounts&);           \
  template StateDescription McAdamW<T, P>::description() const;          \
  template void McAdamW<T, P>::save(const std::filesystem::path&) const; \
  template void McAdamW<T, P>::load(const std::filesystem::path&);       \
  template void McAdamW<T, P>::save_to(StateWriter&) const;              \
  template void McAdamW<T, P>::load_from(StateReader&);
MCT_INSTANTIATE(bfloat16, float)
MCT_INSTANTIATE(half, float)
MCT_INSTANTIATE(bfloat16, bfloat16)
MCT_INSTANTIATE(half, half)
#undef MCT_INSTANTIATE

}  // namespace mct::optim

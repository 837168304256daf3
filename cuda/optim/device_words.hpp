// A table in a device's memory that is a copy of a table of the host. Launches write the changed
// words, which are their parameters.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/device/stream_queue.hpp"
#include "cuda/optim/write_words.hpp"

namespace mct::cuda {

/// Records of T. Columns of words are written: if one word of every record has changed, such as an
/// address, one launch writes the word of some hundred records.
template <class T>
class DeviceWords {
 public:
  static constexpr std::size_t columns = sizeof(T) / sizeof(std::uint64_t);
  static_assert(sizeof(T) == columns * sizeof(std::uint64_t));

  DeviceWords() = default;
  /// The content is unknown.
  DeviceWords(std::size_t count, const StreamQueue& queue) : there_(queue.allocate<T>(count)) {}

  T* data() const { return there_.data(); }

  /// Writes these records, as many as the table has, in the order of the stream. `all`: even words
  /// that have not changed.
  void write(const std::vector<T>& records, bool all, const Stream& stream) {
    std::vector<std::uint64_t> words(records.size() * columns);
    std::memcpy(words.data(), records.data(), words.size() * sizeof(std::uint64_t));
    all = all || words.size() != words_.size();
    for (std::size_t column = 0; column < columns; ++column)
      if (all || differs(words, column)) write_column(words, column, stream);
    words_ = std::move(words);
  }

 private:
  bool differs(const std::vector<std::uint64_t>& words, std::size_t column) const {
    for (std::size_t i = column; i < words.size(); i += columns)
      if (words[i] != words_[i]) return true;
    return false;
  }
  void write_column(const std::vector<std::uint64_t>& words, std::size_t column,
                    const Stream& stream) const {
    const std::size_t count = words.size() / columns;
    for (std::size_t begin = 0; begin < count; begin += WriteWords::most) {
      WriteWords part{};
      part.to = reinterpret_cast<std::uint64_t*>(data()) + begin * columns + column;
      part.stride = int(columns);
      part.count = int(std::min<std::size_t>(count - begin, WriteWords::most));
      for (std::size_t i = 0; i < std::size_t(part.count); ++i)
        part.words[i] = words[(begin + i) * columns + column];
      run(part, {}, stream);
    }
  }

  StreamQueue::Buffer<T> there_{DeviceMemory()};
  std::vector<std::uint64_t> words_;
};

}  // namespace mct::cuda

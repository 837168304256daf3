// Tensors as text, in the manner of NumPy.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/expansion/limits.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

namespace {

constexpr std::int64_t summarised_beyond = 1000;
constexpr std::int64_t edge = 3;  // elements shown at either end of a dimension
constexpr std::size_t line_length = 75;

using Texts = std::vector<std::string>;

/// A number in its parts: "-12", ".5", "e-07".
struct Parts {
  std::string head;
  std::string decimals;  // with the point; empty for numbers that are not finite
  std::string exponent;
};

Parts parts_of(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  const std::size_t point = std::min(text.find('.'), e);
  return {text.substr(0, point), text.substr(point, e - point), text.substr(e)};
}

/// Numbers are written with at most so many decimals: 8 as in NumPy, else all that N p bits have.
template <class T, int N>
constexpr int most_decimals = N == 1 ? 8
                                     : int((N * std::numeric_limits<T>::digits - 1) *
                                           0.30102999566398119);

/// Decimals that tell x from its neighbours, if that takes no more than the others have.
template <class T, int N>
int decimals_of(const Expansion<T, N>& x, bool scientific) {
  if constexpr (N > 1) {
    return most_decimals<T, N>;
  } else {
    const Parts shortest = parts_of(to_string(x));
    const int exponent = shortest.exponent.empty() ? 0 : std::atoi(shortest.exponent.c_str() + 1);
    const auto behind = int(std::max<std::size_t>(shortest.decimals.size(), 1)) - 1;
    if (!scientific) return std::clamp(behind - exponent, 0, most_decimals<T, N>);
    const auto digits = std::count_if(shortest.head.begin(), shortest.head.end(),
                                      [](char c) { return c >= '0' && c <= '9'; });
    return std::min(int(digits) + behind, most_decimals<T, N>);
  }
}

template <class T, int N>
Parts write_number(const Expansion<T, N>& x, bool scientific) {
  if (!(x.limb[0] - x.limb[0] == T(0))) return {to_string(x), "", ""};
  io_detail::NumberStyle style;
  style.notation = scientific ? io_detail::Notation::scientific : io_detail::Notation::fixed;
  style.precision = decimals_of(x, scientific);
  style.point = true;
  Parts parts = parts_of(io_detail::format_number(x, style));
  parts.decimals.erase(parts.decimals.find_last_not_of('0') + 1);
  return parts;
}

/// NumPy's rule: exponents for large or small numbers, and where they differ by more than 1000.
template <class T, int N>
bool needs_exponents(const std::vector<Expansion<T, N>>& numbers) {
  double largest = 0;
  double smallest = INFINITY;
  for (const auto& x : numbers) {
    const double magnitude = std::fabs(double(x.limb[0]));
    if (magnitude == 0 || !std::isfinite(magnitude)) continue;
    largest = std::max(largest, magnitude);
    smallest = std::min(smallest, magnitude);
  }
  return largest >= 1e8 || (largest > 0 && (smallest < 1e-4 || largest / smallest > 1000));
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

void align_right(Texts& texts) {
  std::size_t width = 0;
  for (const auto& text : texts) width = std::max(width, text.size());
  for (auto& text : texts) text = padded(text, width);
}

/// Numbers with their points below each other.
template <class T, int N>
Texts write_numbers(const std::vector<Expansion<T, N>>& numbers) {
  const bool scientific = needs_exponents(numbers);
  std::vector<Parts> all;
  std::size_t decimals = 0;
  std::size_t exponent = 0;
  for (const auto& x : numbers) {
    all.push_back(write_number(x, scientific));
    decimals = std::max(decimals, all.back().decimals.size());
    exponent = std::max(exponent, all.back().exponent.size());
  }
  Texts texts;
  for (Parts& parts : all) {
    if (parts.decimals.empty()) {
      texts.push_back(parts.head);
      continue;
    }
    parts.decimals.resize(decimals, scientific ? '0' : ' ');
    if (scientific) parts.exponent.insert(2, exponent - parts.exponent.size(), '0');
    texts.push_back(parts.head + parts.decimals + parts.exponent);
  }
  align_right(texts);
  return texts;
}

template <class T, int N>
Texts write_elements(const std::vector<typename Tensor<T, N>::Value>& values) {
  Texts texts;
  if constexpr (is_component_v<T>) {
    const std::vector<Expansion<T, N>> numbers(values.begin(), values.end());
    return write_numbers(numbers);
  } else if constexpr (std::is_same_v<T, bool>) {
    for (const bool value : values) texts.emplace_back(value ? "True" : "False");
  } else {
    for (const T value : values) texts.push_back(std::to_string(value));
  }
  align_right(texts);
  return texts;
}

/// Writes the elements, or those at the edges, in brackets.
class Writer {
 public:
  explicit Writer(const Shape& shape)
      : shape_(shape), summarised_(numel(shape) > summarised_beyond) {}

  /// Calls visit(index) for the elements that are shown.
  template <class Visit>
  void for_each_shown(const Visit& visit, Shape index = {}) const {
    if (index.size() == shape_.size()) return visit(index);
    const std::size_t d = index.size();
    for (std::int64_t i = 0; i < shape_[d]; ++i) {
      if (skips(d, i)) i = shape_[d] - edge;
      index.push_back(i);
      for_each_shown(visit, index);
      index.pop_back();
    }
  }

  std::string write(const Texts& texts) {
    texts_ = &texts;
    std::string text;
    write_list(0, text);
    return text;
  }

 private:
  bool skips(std::size_t d, std::int64_t i) const {
    return summarised_ && shape_[d] > 2 * edge && i == edge;
  }

  void write_list(std::size_t d, std::string& text) {
    text += '[';
    if (d + 1 == shape_.size()) {
      write_row(d, text);
    } else {
      for (std::int64_t i = 0; i < shape_[d]; ++i) {
        if (i > 0) text += std::string(shape_.size() - d - 1, '\n') + std::string(d + 1, ' ');
        if (skips(d, i)) {
          text += "..." + std::string(shape_.size() - d - 1, '\n') + std::string(d + 1, ' ');
          i = shape_[d] - edge;
        }
        write_list(d + 1, text);
      }
    }
    text += ']';
  }

  void write_row(std::size_t d, std::string& text) {
    std::size_t column = d + 1;
    const auto append = [&](const std::string& word, bool first) {
      if (!first && column + 1 + word.size() + d + 1 > line_length) {
        text += '\n' + std::string(d + 1, ' ');
        column = d + 1;
      } else if (!first) {
        text += ' ';
        ++column;
      }
      text += word;
      column += word.size();
    };
    for (std::int64_t i = 0; i < shape_[d]; ++i) {
      if (skips(d, i)) {
        append("...", false);
        i = shape_[d] - edge;
      }
      append((*texts_)[next_++], i == 0);
    }
  }

  const Shape& shape_;
  bool summarised_;
  const Texts* texts_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace

template <class T, int N>
std::string to_string(const Tensor<T, N>& x) {
  if (x.numel() == 0) return "[]";
  Writer writer(x.shape());
  std::vector<typename Tensor<T, N>::Value> shown;
  writer.for_each_shown([&](const Shape& index) { shown.push_back(x.at(index)); });
  const Texts texts = write_elements<T, N>(shown);
  if (x.dim() > 0) return writer.write(texts);
  return texts[0] + (texts[0].ends_with('.') ? "0" : "");
}

template <class T, int N>
std::ostream& operator<<(std::ostream& out, const Tensor<T, N>& x) {
  return out << to_string(x);
}

#define MCT_INSTANTIATE(T, N)                          \
  template std::string to_string(const Tensor<T, N>&); \
  template std::ostream& operator<<(std::ostream&, const Tensor<T, N>&);
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct

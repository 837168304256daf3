// std::formatter of expansions, if the standard library has <format>: {:.40e}, {:>50.32g}, {:L},
// {:a} and so on. Otherwise this header is empty. fmt.hpp has the formatter for the library {fmt}.
#pragma once

#include <version>

#if defined(__cpp_lib_format)
#include <cstddef>
#include <format>

#include "mctensor/expansion/format_spec.hpp"

namespace mct::io_detail {

struct StandardFormat {
  [[noreturn]] static void fail(const char* what) { throw std::format_error(what); }

  template <class Context, class Visitor>
  static auto visit(Context& context, int index, const Visitor& visitor) {
    return std::visit_format_arg(visitor, context.arg(std::size_t(index)));
  }

  template <class Context>
  static std::locale locale(Context& context) {
    return context.locale();
  }
};

}  // namespace mct::io_detail

/// FormatSpec (format_spec.hpp) describes the format specifications.
template <class T, int N>
struct std::formatter<mct::Expansion<T, N>, char>
    : mct::io_detail::FormatSpec<mct::io_detail::StandardFormat> {};
#endif

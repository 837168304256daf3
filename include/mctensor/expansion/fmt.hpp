// fmt::formatter of expansions: {:.40e}, {:>50.32g}, {:L}, {:a} and so on. Needs the library {fmt}.
#pragma once

#include <fmt/format.h>

#include "mctensor/expansion/format_spec.hpp"

namespace mct::io_detail {

struct FmtLibrary {
  [[noreturn]] static void fail(const char* what) { throw fmt::format_error(what); }

  template <class Context, class Visitor>
  static auto visit(Context& context, int index, const Visitor& visitor) {
#if FMT_VERSION >= 110000
    return context.arg(index).visit(visitor);
#else
    return fmt::visit_format_arg(visitor, context.arg(index));
#endif
  }

  template <class Context>
  static std::locale locale(Context& context) {
    return context.locale().template get<std::locale>();
  }
};

}  // namespace mct::io_detail

/// FormatSpec (format_spec.hpp) describes the format specifications.
template <class T, int N>
struct fmt::formatter<mct::Expansion<T, N>, char>
    : mct::io_detail::FormatSpec<mct::io_detail::FmtLibrary> {};

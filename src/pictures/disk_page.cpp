// The plane as a page that moves.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/markup.hpp"
#include "src/pictures/drawing.hpp"
#include "src/pictures/page_parts.hpp"

namespace mct::embed {
namespace {

using Json = nlohmann::json;

/// Base64 (RFC 4648) of numbers in little-endian order, as the typed arrays of scripts are.
template <class T>
std::string base64(std::span<const T> numbers) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>>;
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(numbers.size_bytes() / 3 * 4 + 4);
  std::uint32_t group = 0;
  int bytes = 0;
  const auto flush = [&] {
    for (int i = 0; i < 4; ++i) out += i <= bytes ? digits[group >> (18 - 6 * i) & 63u] : '=';
    group = 0;
    bytes = 0;
  };
  for (const T number : numbers)
    for (std::size_t k = 0; k < sizeof(T); ++k) {
      const auto byte = std::uint32_t(std::bit_cast<Bits>(number) >> (8 * k)) & 255u;
      group |= byte << (16 - 8 * bytes);
      if (++bytes == 3) flush();
    }
  if (bytes > 0) flush();
  return out;
}

/// JSON that cannot end a script element.
std::string script_text(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

void add_data(std::string& out, std::string_view id, std::string_view type,
              std::string_view content) {
  out += "<script id=\"" + std::string(id) + "\" type=\"" + std::string(type) + "\">";
  out += content;
  out += "</script>\n";
}

template <class T>
void add_block(std::string& out, std::string_view id, const std::vector<T>& numbers) {
  add_data(out, id, "application/octet-stream", base64(std::span<const T>(numbers)));
}

/// Horizontal coordinates, a plane for each component that any node needs, and heights.
void add_points(std::string& out, const Tensor<double>& planes) {
  const auto rows = std::size_t(planes.size(1));
  std::vector<double> x, heights;
  std::size_t used = 0;
  for (std::size_t k = 0; k < std::size_t(planes.size(0)); ++k)
    for (std::size_t row = 0; row < rows; ++row) {
      const double component = planes.data()[2 * (k * rows + row)];
      x.push_back(component);
      if (component != 0 || k == 0) used = k + 1;
    }
  x.resize(used * rows);
  for (std::size_t row = 0; row < rows; ++row) heights.push_back(planes.data()[2 * row + 1]);
  add_block(out, "x", x);
  add_block(out, "heights", heights);
}

/// The ends of the edges that are in no tree.
std::vector<std::int32_t> other_edges(const Drawing& drawing) {
  std::vector<std::int32_t> ends;
  for (std::size_t i = 0; i < drawing.edges.edge_count(); ++i) {
    const std::int32_t from = drawing.edges.sources()[i];
    const std::int32_t to = drawing.edges.targets()[i];
    if (drawing.forest.parent[std::size_t(from)] == to) continue;
    ends.push_back(from);
    ends.push_back(to);
  }
  return ends;
}

std::string page_text(const Embedding& embedding, const Drawing& drawing,
                      const PictureOptions& options) {
  std::string body(page_html);
  Json names = Json::array();
  for (std::size_t i = 0; i < embedding.size(); ++i)
    names.push_back(std::string(embedding.name(std::int32_t(i))));
  const Json about = {
      {"centre", drawing.centre},     {"radial", radial_scale_names.of(options.radial)},
      {"spread", options.spread},     {"radius", drawing.points.radius},
      {"subtrees", drawing.subtrees}, {"light", palette().light},
      {"dark", palette().dark}};
  add_data(body, "about", "application/json", script_text(about));
  add_data(body, "names", "application/json", script_text(names));
  add_points(body, drawing.points.factors[0]);
  add_block(body, "parents", drawing.forest.parent);
  add_block(body, "colours", drawing.colour);
  add_block(body, "others", other_edges(drawing));
  std::string script;
  for (const auto part : {page_geometry_js, page_view_js, page_drawing_js, page_controls_js})
    script += part;
  return html_page(std::string(embedding.name(drawing.centre)) + " in the hyperbolic plane",
                   page_css, body, script);
}

}  // namespace

void write_disk_page(const std::filesystem::path& path, const Embedding& embedding,
                     const Graph& edges, const PictureOptions& options) {
  const Drawing drawing = make_drawing(embedding, edges, options);
  write_file_atomically(path, page_text(embedding, drawing, options));
}

}  // namespace mct::embed

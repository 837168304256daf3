// The JSON header of a safetensors file: what is read is checked event by event, so that nothing is
// stored that does not belong there.
#include "src/tensor/safetensors_header.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "mctensor/error.hpp"
#include "src/tensor/file_elements.hpp"

namespace mct::tensor_detail {
namespace {

using Json = nlohmann::ordered_json;

/// Receives the events of the parser. Every function throws IoError at what does not belong.
class HeaderHandler {
 public:
  HeaderHandler(SafetensorsHeader& header, const std::string& file)
      : header_(header), file_(file) {}

  bool null() { unexpected("null"); }
  bool boolean(bool value) { unexpected(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { unexpected(std::to_string(value)); }
  bool number_float(double, const std::string& text) { unexpected(text); }
  bool binary(Json::binary_t&) { unexpected("binary data"); }

  bool number_unsigned(std::uint64_t value) {
    if (place_ == Place::shape) {
      if (value > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
        unexpected(std::to_string(value));
      if (entry_.shape.size() == max_file_dims)
        fail("shape has more than " + std::to_string(max_file_dims) + " dimensions");
      entry_.shape.push_back(std::int64_t(value));
    } else if (place_ == Place::offsets && offsets_ < 2) {
      (offsets_++ == 0 ? entry_.begin : entry_.end) = value;
    } else {
      unexpected(std::to_string(value));
    }
    return true;
  }

  bool string(std::string& value) {
    if (place_ == Place::metadata) {
      if (!header_.metadata.emplace(key_, value).second)
        fail("key " + in_quotes(key_) + " is given twice");
    } else if (place_ == Place::entry && key_ == "dtype") {
      entry_.dtype = value;
    } else {
      unexpected("the string " + in_quotes(value));
    }
    return true;
  }

  bool key(std::string& value) {
    key_ = value;
    if (place_ == Place::top) {
      name_ = value;
      const bool is_new = name_ == metadata_key ? !std::exchange(metadata_seen_, true)
                                                : header_.entries.emplace(name_, entry_).second;
      if (!is_new) throw IoError(file_ + ": entry " + in_quotes(name_) + " is given twice");
    } else if (place_ == Place::entry) {
      const int bit = value == "dtype" ? 1 : value == "shape" ? 2 : value == "data_offsets" ? 4 : 0;
      if (bit == 0) fail("key " + in_quotes(value) + " is unknown");
      if ((seen_ & bit) != 0) fail("key " + in_quotes(value) + " is given twice");
      seen_ |= bit;
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (place_ == Place::outside) {
      place_ = Place::top;
    } else if (place_ == Place::top) {
      place_ = name_ == metadata_key ? Place::metadata : Place::entry;
      entry_ = {};
      seen_ = 0;
      offsets_ = 0;
    } else {
      unexpected("an object");
    }
    return true;
  }
  bool end_object() {
    if (place_ == Place::entry) {
      if (seen_ != 7) fail("dtype, shape and data_offsets are not all given");
      if (offsets_ != 2) fail("data_offsets are not two numbers");
      header_.entries[name_] = entry_;
    }
    place_ = place_ == Place::top ? Place::outside : Place::top;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ != Place::entry || key_ == "dtype") unexpected("an array");
    place_ = key_ == "shape" ? Place::shape : Place::offsets;
    return true;
  }
  bool end_array() {
    place_ = Place::entry;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) {
    throw IoError(file_ + ": the header is not JSON at byte " + std::to_string(position) +
                  (name_.empty() ? "" : ", after entry " + in_quotes(name_)));
  }

 private:
  enum class Place { outside, top, metadata, entry, shape, offsets };

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(file_ + ": entry " + in_quotes(name_) + ": " + what);
  }
  [[noreturn]] void unexpected(const std::string& found) const {
    if (place_ == Place::outside) throw IoError(file_ + ": the header is not an object: " + found);
    if (place_ == Place::top) fail("an object is expected, found " + found);
    if (place_ == Place::metadata)
      fail("a text is expected for " + in_quotes(key_) + ", found " + found);
    if (place_ == Place::entry && key_ == "dtype") fail("dtype is not a text: " + found);
    if (place_ == Place::entry) fail(key_ + " is not an array: " + found);
    fail(key_ + " has an element that does not belong there: " + found);
  }

  SafetensorsHeader& header_;
  const std::string& file_;
  Place place_ = Place::outside;
  std::string name_;  // of the current entry
  std::string key_;
  SafetensorsEntry entry_;
  int seen_ = 0;     // which keys of the entry were given, as bits
  int offsets_ = 0;  // how many numbers data_offsets has so far
  bool metadata_seen_ = false;
};

/// Throws IoError unless dtype and shape need exactly the bytes that the entry has.
void check_size(const std::string& name, const SafetensorsEntry& entry, const std::string& file) {
  const std::string place = file + ": entry " + in_quotes(name) + ": ";
  const std::size_t element = safetensors_element_bytes(entry.dtype);
  if (element == 0) throw IoError(place + "dtype " + in_quotes(entry.dtype) + " is unknown");
  const std::string range = std::to_string(entry.begin) + " to " + std::to_string(entry.end);
  if (entry.begin > entry.end) throw IoError(place + "data_offsets run backwards, from " + range);
  std::int64_t count = 0;
  try {
    count = numel(entry.shape);
  } catch (const ShapeError& error) {
    throw IoError(place + error.what());
  }
  const std::uint64_t bytes = entry.end - entry.begin;
  if (bytes % element != 0 || bytes / element != std::uint64_t(count))
    throw IoError(place + entry.dtype + " of shape " + to_string(entry.shape) +
                  " does not fit the " + std::to_string(bytes) + " bytes from " + range);
}

using Item = std::pair<const std::string, SafetensorsEntry>;

/// The entries in the order of their data.
std::vector<const Item*> in_data_order(const SafetensorsHeader& header) {
  std::vector<const Item*> items;
  items.reserve(header.entries.size());
  for (const Item& item : header.entries) items.push_back(&item);
  std::stable_sort(items.begin(), items.end(), [](const Item* a, const Item* b) {
    return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
  });
  return items;
}

/// Throws IoError unless the entries follow each other from 0 to `data_bytes`.
void check_layout(const SafetensorsHeader& header, std::uint64_t data_bytes,
                  const std::string& file) {
  std::uint64_t position = 0;
  for (const Item* item : in_data_order(header)) {
    const auto& [name, entry] = *item;
    if (entry.begin != position)
      throw IoError(file + ": entry " + in_quotes(name) + " begins at byte " +
                    std::to_string(entry.begin) + " of the data, the entries before it end at " +
                    std::to_string(position));
    if (entry.end > data_bytes)
      throw IoError(file + ": entry " + in_quotes(name) + " ends at byte " +
                    std::to_string(entry.end) + " of the data, the file has " +
                    std::to_string(data_bytes));
    position = entry.end;
  }
  if (position != data_bytes)
    throw IoError(file + ": the entries end at byte " + std::to_string(position) +
                  " of the data, the file has " + std::to_string(data_bytes));
}

}  // namespace

std::size_t safetensors_element_bytes(std::string_view dtype) {
  static constexpr std::pair<std::string_view, std::size_t> sizes[] = {
      {"F64", 8}, {"F32", 4}, {"F16", 2},     {"BF16", 2},    {"BOOL", 1},   {"I64", 8},
      {"I32", 4}, {"I16", 2}, {"I8", 1},      {"U64", 8},     {"U32", 4},    {"U16", 2},
      {"U8", 1},  {"C64", 8}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"F8_E8M0", 1}};
  for (const auto& [name, bytes] : sizes)
    if (name == dtype) return bytes;
  return 0;
}

SafetensorsHeader parse_safetensors_header(const std::string& text, std::uint64_t data_bytes,
                                           const std::string& file) {
  // the parser would skip a byte order mark, and take a zero byte for the end
  if (text.empty() || text.front() != '{' || text.find('\0') != std::string::npos)
    throw IoError(file + ": the header is not JSON: it " +
                  (text.starts_with('{') ? "has a zero byte" : "does not begin with '{'"));
  SafetensorsHeader header;
  HeaderHandler handler(header, file);
  Json::sax_parse(text, &handler);
  for (const auto& [name, entry] : header.entries) check_size(name, entry, file);
  check_layout(header, data_bytes, file);
  return header;
}

std::string safetensors_header_text(const SafetensorsHeader& header) {
  Json json = Json::object();
  if (!header.metadata.empty()) json[std::string(metadata_key)] = header.metadata;
  std::string text = json.dump();
  text.pop_back();
  for (const Item* item : in_data_order(header)) {
    const auto& [name, entry] = *item;
    const Json value = {
        {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
    text += (text.size() > 1 ? "," : "") + Json(name).dump() + ":" + value.dump();
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

void require_utf8(const std::string& text, const char* what) {
  try {
    (void)Json(text).dump();
  } catch (const Json::type_error&) {
    throw DomainError(std::string(what) + " " + in_quotes(text) + " is not UTF-8");
  }
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) {
    constexpr const char* digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f) {
      shown += c;
    } else {
      shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace mct::tensor_detail

// The files in a zip archive, by zlib. Source: PKWARE, APPNOTE.TXT 6.3.
#include "mctensor/base/zip_file.hpp"

#include <algorithm>

#include "mctensor/error.hpp"

#if MCT_WITH_ZLIB
#include <zlib.h>
#endif

namespace mct {
namespace {

constexpr std::size_t ending_size = 22;  // the record at the end, without its comment
constexpr std::size_t longest_comment = 0xffff;
constexpr std::size_t entry_size = 46;   // an entry of the list, without its texts
constexpr std::size_t header_size = 30;  // the header in front of a member, without its texts
constexpr std::string_view ending_begins = "PK\x05\x06";
constexpr std::string_view entry_begins = "PK\x01\x02";
constexpr std::string_view header_begins = "PK\x03\x04";
constexpr unsigned stored = 0;
constexpr unsigned deflated = 8;

/// A number of so many bytes, the lowest first.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | std::uint8_t(bytes[at + i]);
  return value;
}

[[noreturn]] void fail(const std::string& file, std::uint64_t byte, const char* what) {
  throw IoError(file + ", byte " + std::to_string(byte) + ": " + what);
}

#if MCT_WITH_ZLIB
/// Unpacks a whole member. The packed bytes limit the memory: the content has at most 1032 times as
/// many bytes.
std::string unpacked(const std::string& packed, std::uint64_t size, const std::string& what) {
  constexpr std::uint64_t most = 1032;
  if (size > most * packed.size() + most)
    throw IoError(what + " cannot have " + std::to_string(size) +
                  " bytes, as the archive says: its " + std::to_string(packed.size()) +
                  " packed bytes are too few");
  std::string bytes(std::size_t(size), '\0');
  z_stream stream{};
  constexpr int raw_window = -15;
  if (::inflateInit2(&stream, raw_window) != Z_OK)
    throw MemoryError("not enough memory to unpack " + what);
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(packed.data()));
  stream.avail_in = unsigned(packed.size());
  stream.next_out = reinterpret_cast<unsigned char*>(bytes.data());
  stream.avail_out = unsigned(bytes.size());
  const int result = ::inflate(&stream, Z_FINISH);
  const bool whole = result == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
  ::inflateEnd(&stream);
  if (!whole) throw IoError(what + ": its compressed data are damaged");
  return bytes;
}
std::uint32_t checksum_of(const std::string& bytes) {
  return std::uint32_t(
      ::crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}
#else
std::string unpacked(const std::string&, std::uint64_t, const std::string& what) {
  throw IoError(what + " is compressed, and this library is built without zlib (MCT_WITH_ZLIB)");
}
/// CRC-32, bit by bit.
std::uint32_t checksum_of(const std::string& bytes) {
  std::uint32_t sum = ~std::uint32_t(0);
  for (const char c : bytes) {
    sum ^= std::uint8_t(c);
    for (int i = 0; i < 8; ++i) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xEDB88320u : 0u);
  }
  return ~sum;
}
#endif

}  // namespace

ZipFile::ZipFile(const std::filesystem::path& path) : file_(path) {
  const auto read = [&](std::uint64_t from, std::uint64_t count) {
    std::string bytes(std::size_t(count), '\0');
    file_.read(from, bytes.data(), bytes.size());
    return bytes;
  };
  const std::uint64_t tail = std::min<std::uint64_t>(file_.size(), ending_size + longest_comment);
  const std::string end = read(file_.size() - tail, tail);
  // the last that is followed by as long a comment as it says: a comment may hold the same letters
  const auto is_ending = [&](std::size_t from) {
    return end.size() - from >= ending_size &&
           number(end, from + 20, 2) == end.size() - from - ending_size;
  };
  std::size_t at = end.rfind(ending_begins);
  while (at != std::string::npos && !is_ending(at))
    at = at == 0 ? std::string::npos : end.rfind(ending_begins, at - 1);
  if (at == std::string::npos)
    throw IoError(name() + " is not a whole zip archive: it has no list of its files at its end");
  const std::uint64_t ending = file_.size() - tail + at;
  const std::uint64_t count = number(end, at + 10, 2);
  const std::uint64_t length = number(end, at + 12, 4);
  const std::uint64_t begin = number(end, at + 16, 4);
  if (begin > ending || length > ending - begin)
    fail(name(), ending,
         "the list of files lies outside of the archive (or it has 4 GiB and more)");
  const std::string list = read(begin, length);
  std::size_t place = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (list.size() - place < entry_size || list.compare(place, 4, entry_begins) != 0)
      fail(name(), begin + place, "an entry of the list of files is expected here");
    const auto field = [&](std::size_t offset, std::size_t bytes) {
      return number(list, place + offset, bytes);
    };
    const std::uint64_t texts = field(28, 2) + field(30, 2) + field(32, 2);
    if (texts > list.size() - place - entry_size)
      fail(name(), begin + place, "an entry of the list of files is cut off");
    members_.push_back({list.substr(place + entry_size, field(28, 2)), field(20, 4), field(24, 4),
                        field(42, 4), std::uint32_t(field(16, 4)), unsigned(field(10, 2)),
                        unsigned(field(8, 2))});
    place += entry_size + std::size_t(texts);
  }
}

std::vector<std::string> ZipFile::names() const {
  std::vector<std::string> result;
  result.reserve(members_.size());
  for (const Member& member : members_) result.push_back(member.name);
  return result;
}

const ZipFile::Member* ZipFile::find(std::string_view member) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& m) { return m.name == member; });
  return found == members_.end() ? nullptr : &*found;
}

std::string ZipFile::content(std::string_view member) const {
  const Member* const found = find(member);
  const std::string what = "'" + std::string(member) + "' in " + name();
  if (found == nullptr) throw IoError("there is no " + what);
  if ((found->flags & 1) != 0 || (found->method != stored && found->method != deflated))
    throw IoError(what + " is " +
                  ((found->flags & 1) != 0 ? "encrypted"
                                           : "packed by method " + std::to_string(found->method)) +
                  ", which is not supported");
  std::string header(header_size, '\0');
  const std::uint64_t size = file_.size();
  if (found->place > size || size - found->place < header_size)
    throw IoError(what + " lies outside of the archive");
  file_.read(found->place, header.data(), header.size());
  const std::uint64_t begin =
      found->place + header_size + number(header, 26, 2) + number(header, 28, 2);
  if (!header.starts_with(header_begins) || begin > size || found->packed > size - begin)
    throw IoError(what + " is damaged at byte " + std::to_string(found->place));
  std::string bytes(std::size_t(found->packed), '\0');
  file_.read(begin, bytes.data(), bytes.size());
  if (found->method == deflated) {
    bytes = unpacked(bytes, found->size, what);
  } else if (found->size != found->packed) {
    throw IoError(what + " is damaged: the archive states two different sizes");
  }
  if (checksum_of(bytes) != found->checksum)
    throw IoError(what + " is damaged: its checksum is wrong");
  return bytes;
}

}  // namespace mct

// Plain and compressed files, by zlib.
#include "mctensor/base/byte_files.hpp"

#include <algorithm>
#include <array>

#include "mctensor/error.hpp"

#if MCT_WITH_ZLIB
#include <zlib.h>
#endif

namespace mct {
namespace {

constexpr std::size_t written_at_once = std::size_t(1) << 16;
constexpr std::string_view gzip_begins = "\x1F\x8B";

/// Formats of files that are not read: their first bytes, and the command that unpacks them.
struct OtherForm {
  std::string_view name, begins, extension, command;
};
constexpr std::array<OtherForm, 11> other_forms = {{
    {"compressed by xz",
     {"\xFD"
      "7zXZ\0",
      6},
     ".xz",
     "xz -dk"},
    {"compressed by bzip2", "BZh", ".bz2", "bzip2 -dk"},
    {"compressed by Zstandard", "\x28\xB5\x2F\xFD", ".zst", "zstd -dk"},
    {"compressed by LZ4", "\x04\x22\x4D\x18", ".lz4", "lz4 -dk"},
    {"compressed by lzip", "LZIP\x01", ".lz", "lzip -dk"},
    {"compressed by compress", "\x1F\x9D", ".Z", "uncompress -k"},
    {"a zip archive (or a spreadsheet, which can be saved as CSV)", "PK\x03\x04", ".zip", "unzip"},
    {"a 7z archive", "7z\xBC\xAF\x27\x1C", ".7z", "7z x"},
    {"an archive of RAR", "Rar!\x1A\x07", ".rar", "unrar x"},
    {"a table of Parquet, which pandas.read_parquet reads", "PAR1\x15", "", ""},
    {"a PDF document", "%PDF-", "", ""},
}};

/// Whether the bytes of a file are in this form. Each byte of bzip2's beginning may be a letter, so
/// it is known by the block after that, too.
bool is_in(const OtherForm& form, std::string_view bytes) {
  if (!bytes.starts_with(form.begins)) return false;
  constexpr std::string_view block = "1AY&SY";
  constexpr std::string_view no_block = "\x17\x72\x45\x38\x50\x90";
  return form.extension != ".bz2" ||
         (bytes.size() >= 10 && (bytes.substr(4, 6) == block || bytes.substr(4, 6) == no_block));
}

std::string in_shell_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

#if MCT_WITH_ZLIB
constexpr std::size_t block = std::size_t(1) << 16;
constexpr int gzip_window = 15 + 16;  // zlib: the largest window, and the header of gzip
#else
[[noreturn]] void fail_without_zlib(const std::string& name) {
  throw IoError(name + " is compressed, and this library is built without zlib (MCT_WITH_ZLIB)");
}
#endif

}  // namespace

#if MCT_WITH_ZLIB

struct ByteSource::Unpacker {
  z_stream stream{};
  std::array<unsigned char, block> packed{};
  bool between = false;  // one compressed part has ended, another has not begun

  Unpacker() {
    if (::inflateInit2(&stream, gzip_window) != Z_OK)
      throw MemoryError("not enough memory to unpack a file");
  }
  ~Unpacker() { ::inflateEnd(&stream); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
};

std::size_t ByteSource::unpack(char* target, std::size_t bytes) {
  z_stream& stream = unpacker_->stream;
  stream.next_out = reinterpret_cast<unsigned char*>(target);
  stream.avail_out = unsigned(bytes);
  while (stream.avail_out > 0) {
    if (stream.avail_in == 0) {
      stream.next_in = unpacker_->packed.data();
      stream.avail_in = unsigned(read_file(unpacker_->packed.data(), block));
      if (stream.avail_in == 0 && unpacker_->between) break;
      if (stream.avail_in == 0)
        throw IoError(file_.name() + " is cut off: its compressed data do not end");
    }
    unpacker_->between = false;
    const int result = ::inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      unpacker_->between = true;  // as of files that were compressed one by one and joined
      ::inflateReset(&stream);
    } else if (result == Z_MEM_ERROR) {
      throw MemoryError("cannot read " + file_.name() + ": not enough memory to unpack it");
    } else if (result != Z_OK) {
      throw IoError(file_.name() + ": its compressed data are damaged near byte " +
                    std::to_string(place_ - stream.avail_in) + " (" +
                    (stream.msg == nullptr ? "no reason is known" : stream.msg) + ")");
    }
  }
  return bytes - stream.avail_out;
}

struct ByteSink::Packer {
  z_stream stream{};
  std::array<unsigned char, block> packed{};

  Packer() {
    constexpr int usual_memory = 8;
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw MemoryError("not enough memory to compress a file");
  }
  ~Packer() { ::deflateEnd(&stream); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
};

void ByteSink::pack(std::string_view bytes, bool last) {
  z_stream& stream = packer_->stream;
  do {
    const std::size_t part = std::min(bytes.size(), block);
    // zlib's next_in is not const, but it does not write there
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream.avail_in = unsigned(part);
    bytes.remove_prefix(part);
    do {
      stream.next_out = packer_->packed.data();
      stream.avail_out = unsigned(block);
      ::deflate(&stream, last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
      file_.write(packer_->packed.data(), block - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
}

#else

struct ByteSource::Unpacker {};
struct ByteSink::Packer {};
std::size_t ByteSource::unpack(char*, std::size_t) { fail_without_zlib(file_.name()); }
void ByteSink::pack(std::string_view, bool) {}

#endif

ByteSource::ByteSource(const std::filesystem::path& path) : file_(path) {
  std::array<char, 16> first{};
  const auto here = std::size_t(std::min<std::uint64_t>(file_.size(), first.size()));
  file_.read(0, first.data(), here);
  const std::string_view bytes(first.data(), here);
  for (const OtherForm& form : other_forms)
    if (is_in(form, bytes))
      throw IoError(file_.name() + " is " + std::string(form.name) +
                    ", not a text or one that is compressed by gzip" +
                    (form.command.empty() ? ""
                                          : "; decompress it first: " + std::string(form.command) +
                                                " " + in_shell_quotes(path.string())));
  if (bytes.starts_with(gzip_begins)) unpacker_ = std::make_unique<Unpacker>();
}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read_file(void* target, std::size_t bytes) {
  const auto part = std::size_t(std::min<std::uint64_t>(bytes, file_.size() - place_));
  file_.read(place_, target, part);
  place_ += part;
  return part;
}

std::size_t ByteSource::read(char* target, std::size_t bytes) {
  return unpacker_ ? unpack(target, bytes) : read_file(target, bytes);
}

ByteSink::ByteSink(const std::filesystem::path& path) : file_(path) {
  const auto named =
      std::find_if(other_forms.begin(), other_forms.end(), [&](const OtherForm& form) {
        return !form.extension.empty() && path.extension() == form.extension;
      });
  if (named != other_forms.end())
    throw IoError("cannot write '" + path.string() + "': it would not be " +
                  std::string(named->name) + "; what ends in .gz is compressed by gzip");
  if (path.extension() != ".gz") return;
#if MCT_WITH_ZLIB
  packer_ = std::make_unique<Packer>();
#else
  fail_without_zlib("'" + path.string() + "'");
#endif
}

ByteSink::~ByteSink() = default;

void ByteSink::write(std::string_view bytes) {
  collected_ += bytes;
  if (collected_.size() >= written_at_once) flush();
}

void ByteSink::flush() {
  if (packer_) {
    pack(collected_, false);
  } else {
    file_.write(collected_.data(), collected_.size());
  }
  collected_.clear();
}

void ByteSink::commit() {
  flush();
  if (packer_) pack({}, true);
  file_.commit();
}

}  // namespace mct

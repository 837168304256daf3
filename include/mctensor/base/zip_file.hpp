// The files in a zip archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/input_file.hpp"

namespace mct {

/// A zip archive as NumPy's .npz files are: members stored as they are or packed by deflate,
/// without encryption, archive and members below 4 GiB.
class ZipFile {
 public:
  /// Reads the list of members. Throws IoError, naming the file and the byte, for what is no such
  /// archive.
  explicit ZipFile(const std::filesystem::path& path);

  /// In the order of the archive.
  std::vector<std::string> names() const;
  bool has(std::string_view member) const { return find(member) != nullptr; }
  /// The bytes of a member. Memory is allocated only for bytes that the archive has. Throws
  /// IoError, naming file and member, for one that is not there, is damaged, or is packed in
  /// another way; without zlib for every packed one.
  std::string content(std::string_view member) const;
  /// The path in quotes, for messages.
  const std::string& name() const { return file_.name(); }

 private:
  struct Member {
    std::string name;
    std::uint64_t packed = 0, size = 0, place = 0;  // in bytes; of its header
    std::uint32_t checksum = 0;                     // CRC-32
    unsigned method = 0, flags = 0;
  };

  const Member* find(std::string_view member) const;

  InputFile file_;
  std::vector<Member> members_;
};

}  // namespace mct

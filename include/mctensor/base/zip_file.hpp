// Reads the members (files) of a zip archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/input_file.hpp"

namespace mct {

/// A zip archive, such as an .npz file of NumPy. Members must be stored or deflated, and not
/// encrypted. The archive and each member must have less than 4 GiB.
class ZipFile {
 public:
  /// Reads the list of members. Throws IoError, which names the file, if the file cannot be read or
  /// is not a zip archive. For a damaged list the message also has the position of the byte.
  explicit ZipFile(const std::filesystem::path& path);

  /// The names of the members, in the order of the archive.
  std::vector<std::string> names() const;
  bool has(std::string_view member) const { return find(member) != nullptr; }
  /// The bytes of a member. A damaged size cannot cause a large allocation: a member may have at
  /// most 1032 bytes for each packed byte in the archive, and 1032 more. Throws IoError, which
  /// names the file and the member, if the member is missing, damaged, encrypted, or neither stored
  /// nor deflated. Also throws IoError for a deflated member if the library was built without zlib.
  std::string content(std::string_view member) const;
  /// The path in quotes, for messages.
  const std::string& name() const { return file_.name(); }

 private:
  struct Member {
    std::string name;
    std::uint64_t packed = 0, size = 0, place = 0;  // in bytes; place: offset of the header
    std::uint32_t checksum = 0;                     // CRC-32
    unsigned method = 0, flags = 0;
  };

  const Member* find(std::string_view member) const;

  InputFile file_;
  std::vector<Member> members_;
};

}  // namespace mct

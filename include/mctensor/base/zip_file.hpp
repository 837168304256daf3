// The files in a zip archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/input_file.hpp"

namespace mct {

/// A zip archive such as NumPy's .npz files. Members are stored or deflated, and not encrypted; the
/// archive and each member have less than 4 GiB.
class ZipFile {
 public:
  /// Reads the list of members. If the file is not such an archive, throws IoError with the file
  /// and the position of the byte.
  explicit ZipFile(const std::filesystem::path& path);

  /// The names of the members, in the order of the archive.
  std::vector<std::string> names() const;
  bool has(std::string_view member) const { return find(member) != nullptr; }
  /// The bytes of a member. Memory is allocated only for bytes that the archive has. Throws
  /// IoError, with file and member, if the member is missing, damaged, or neither stored nor
  /// deflated. Also throws IoError for a deflated member if the library was built without zlib.
  std::string content(std::string_view member) const;
  /// The path in quotes, as messages show it.
  const std::string& name() const { return file_.name(); }

 private:
  struct Member {
    std::string name;
    std::uint64_t packed = 0, size = 0, place = 0;  // in bytes; place: where its header begins
    std::uint32_t checksum = 0;                     // CRC-32
    unsigned method = 0, flags = 0;
  };

  const Member* find(std::string_view member) const;

  InputFile file_;
  std::vector<Member> members_;
};

}  // namespace mct

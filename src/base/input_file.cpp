#include "mctensor/base/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>

#include "mctensor/error.hpp"

namespace mct {

InputFile::InputFile(const std::filesystem::path& path) : name_("'" + path.string() + "'") {
  // O_NONBLOCK: opening a pipe would wait for a writer
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw IoError("cannot read " + name_ + ": " + std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    const char* const reason = known ? "it is not a regular file" : std::strerror(errno);
    ::close(descriptor_);
    throw IoError("cannot read " + name_ + ": " + reason);
  }
  size_ = std::uint64_t(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::uint64_t offset, void* target, std::size_t bytes) const {
  if (offset > size_ || bytes > size_ - offset)
    throw IoError(name_ + " ends at byte " + std::to_string(size_) + ", " + std::to_string(bytes) +
                  " bytes are needed from byte " + std::to_string(offset) + " on");
  char* rest = static_cast<char*>(target);
  while (bytes > 0) {
    const ssize_t count = ::pread(descriptor_, rest, bytes, off_t(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      throw IoError("cannot read " + name_ + ": " + std::strerror(errno));
    }
    if (count == 0)
      throw IoError("cannot read " + name_ + ": it became shorter than the " +
                    std::to_string(size_) + " bytes that it had");
    rest += count;
    offset += std::uint64_t(count);
    bytes -= std::size_t(count);
  }
}

std::string InputFile::content(std::uint64_t most) const {
  if (size_ > most)
    throw IoError(name_ + " has " + std::to_string(size_) + " bytes; at most " +
                  std::to_string(most) + " are read");
  std::string text;
  try {
    text.resize(std::size_t(size_));
  } catch (const std::exception&) {  // bad_alloc, or length_error for more than a string has
    throw MemoryError("cannot read " + name_ + ": not enough memory for its " +
                      std::to_string(size_) + " bytes");
  }
  read(0, text.data(), text.size());
  return text;
}

}  // namespace mct

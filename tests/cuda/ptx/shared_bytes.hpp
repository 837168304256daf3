// Shared memory as PTX sees it: bytes, each of them checked.
#pragma once

#include "tests/cuda/simulator/simulated_team.hpp"

namespace mct::cuda::ptx {

class SharedMemory {
 public:
  using At = Block::At;

  virtual ~SharedMemory() = default;
  virtual void read(int at, void* to, std::size_t bytes, const At& line) = 0;
  virtual void write(int at, const void* from, std::size_t bytes, const At& line) = 0;
  /// 16 bytes.
  virtual void copy(const SimulatedTeam& team, int at, const void* from, bool valid,
                    const At& line) = 0;
  /// For products, whose descriptors count from the beginning as all addresses do.
  virtual const MatrixMemory& as_matrices() const = 0;
};

template <int N>
class SharedBytes final : public SharedMemory {
 public:
  void read(int at, void* to, std::size_t bytes, const At& line) override {
    widths(bytes, [&](auto width) {
      const auto pack = bytes_.template read<width.value>(at, line);
      std::memcpy(to, &pack, sizeof pack);
    });
  }
  void write(int at, const void* from, std::size_t bytes, const At& line) override {
    widths(bytes, [&](auto width) {
      Pack<std::uint8_t, width.value> pack;
      std::memcpy(&pack, from, sizeof pack);
      bytes_.template write<width.value>(at, pack, line);
    });
  }
  void copy(const SimulatedTeam& team, int at, const void* from, bool valid,
            const At& line) override {
    team.copy_async(bytes_, at, static_cast<const std::uint8_t*>(from), valid, line);
  }
  const MatrixMemory& as_matrices() const override { return bytes_; }

 private:
  template <class Use>
  static void widths(std::size_t bytes, const Use& use) {
    switch (bytes) {
      case 1:
        return use(std::integral_constant<int, 1>());
      case 2:
        return use(std::integral_constant<int, 2>());
      case 4:
        return use(std::integral_constant<int, 4>());
      case 8:
        return use(std::integral_constant<int, 8>());
      default:
        return use(std::integral_constant<int, 16>());
    }
  }

  SimulatedTeam::Array<std::uint8_t, N> bytes_;
};

}  // namespace mct::cuda::ptx

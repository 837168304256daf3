#include "tests/cuda/ptx/machine.hpp"

#include <algorithm>

namespace mct::cuda::ptx {

void Thread::fail(const std::string& what, const At& line) {
  throw SimulationError(what + ": thread " + std::to_string(block().current) + " of block " +
                        std::to_string(block().number) + ", line " + std::to_string(line.line()));
}

void Thread::check_lanes(std::uint32_t lanes, const At& line) {
  if (lanes != everyone) fail("an exchange of a part of a warp", line);
}

bool Thread::in_table(std::uint64_t at, std::size_t bytes) const {
  return std::any_of(module_.tables.begin(), module_.tables.end(), [&](const Table& t) {
    const auto first = reinterpret_cast<std::uintptr_t>(t.data);
    return at >= first && at + bytes <= first + t.bytes;
  });
}

std::size_t Thread::inside(Space s, std::uint64_t at, std::size_t bytes, std::size_t size,
                           const At& line) {
  const std::uint64_t offset = is_in(s, at) ? at - window(s) : at;
  if (offset % bytes != 0) fail("misaligned access of " + std::to_string(bytes) + " bytes", line);
  if (offset + bytes > size)
    fail(s == Space::local ? "out of bounds of local memory" : "out of bounds of the parameters",
         line);
  return std::size_t(offset);
}

namespace {

Space space_of(Space s, std::uint64_t at) {
  if (s != Space::generic) return s;
  for (const Space named : {Space::shared, Space::local, Space::parameter})
    if (is_in(named, at)) return named;
  return Space::global;
}
int shared_offset(std::uint64_t at) {
  const std::uint64_t offset = is_in(Space::shared, at) ? at - window(Space::shared) : at;
  return int(std::min<std::uint64_t>(std::uint32_t(offset), 0x7fffff00));
}

}  // namespace

void Thread::read(Space s, std::uint64_t at, void* to, std::size_t bytes, const At& line) {
  const auto* const place = reinterpret_cast<const void*>(at);
  switch (space_of(s, at)) {
    case Space::shared:
      shared_.read(shared_offset(at), to, bytes, line);
      return;
    case Space::local: {
      const std::size_t from = inside(Space::local, at, bytes, local_.size(), line);
      for (std::size_t i = from; i < from + bytes; ++i)
        if (!local_written_[i]) fail("read of local memory that was never written", line);
      std::memcpy(to, &local_[from], bytes);
      return;
    }
    case Space::parameter: {
      const std::size_t from = inside(Space::parameter, at, bytes, entry_.parameter_bytes, line);
      std::memcpy(to, parameters_ + from, bytes);
      return;
    }
    case Space::constant:
      if (!in_table(at, bytes)) fail("out of bounds of constant memory", line);
      break;
    default:
      if (!in_table(at, bytes)) SimulatedTeam::memory->read(place, bytes, block(), line);
  }
  if (at % bytes != 0) fail("misaligned read of " + std::to_string(bytes) + " bytes", line);
  std::memcpy(to, place, bytes);
}

void Thread::write(Space s, std::uint64_t at, const void* from, std::size_t bytes, const At& line) {
  switch (space_of(s, at)) {
    case Space::shared:
      shared_.write(shared_offset(at), from, bytes, line);
      return;
    case Space::local: {
      const std::size_t to = inside(Space::local, at, bytes, local_.size(), line);
      std::fill_n(local_written_.begin() + std::ptrdiff_t(to), bytes, true);
      std::memcpy(&local_[to], from, bytes);
      return;
    }
    case Space::global:
      SimulatedTeam::memory->write(reinterpret_cast<const void*>(at), bytes, block(), line);
      std::memcpy(reinterpret_cast<void*>(at), from, bytes);
      return;
    default:
      fail("write to constant memory", line);
  }
}

void Thread::copy(std::uint64_t to, std::uint64_t from, std::uint32_t bytes, At line) {
  if (bytes != 0 && bytes != 16) fail("a copy of a part of 16 bytes", line);
  shared_.copy(team_, shared_offset(to), reinterpret_cast<const void*>(from), bytes != 0, line);
}

void Thread::warp_barrier(std::uint32_t lanes, At line) {
  check_lanes(lanes, line);
  team_.exchange(0, line, [](auto) { return 0; });
}

Thread::Shown Thread::shuffle(Shuffle how, std::uint32_t x, std::uint32_t by, std::uint32_t clamp,
                              std::uint32_t lanes, At line) {
  check_lanes(lanes, line);
  const auto lane = int(laneid());
  const auto group = int(clamp >> 8 & 31);
  const auto last = int(clamp & 31);
  const auto step = int(by & 31);
  const int lowest = lane & group;
  const int highest = lowest | (last & ~group);
  int from = lane;
  switch (how) {
    case Shuffle::idx:
      from = lowest | (step & ~group);
      break;
    case Shuffle::up:
      from = lane - step;
      break;
    case Shuffle::down:
      from = lane + step;
      break;
    case Shuffle::bfly:
      from = lane ^ step;
      break;
  }
  const bool valid = how == Shuffle::up ? from >= highest : from <= highest;
  if (!valid) from = lane;
  return {team_.exchange(x, line, [&](auto of) { return of(from); }), valid};
}

std::uint32_t Thread::ballot(bool x, std::uint32_t lanes, At line) {
  check_lanes(lanes, line);
  return team_.exchange(x, line, [](auto of) {
    std::uint32_t r = 0;
    for (int i = 0; i < Block::warp; ++i) r |= std::uint32_t(of(i)) << i;
    return r;
  });
}

std::array<std::uint32_t, 4> Thread::tiles(bool transposed, int count, std::uint64_t at,
                                           const At& line) {
  if (int(laneid()) < 8 * count && at % 16 != 0) fail("misaligned row of a matrix", line);
  return team_.exchange(at, line, [&](auto row) {
    std::array<std::uint32_t, 4> r{};
    const auto lane = int(laneid());
    for (int t = 0; t < count; ++t)
      for (int k = 0; k < 2; ++k) {
        const int along = lane % 4 * 2 + k;
        const int across = lane / 4;
        const std::uint64_t from = transposed ? row(8 * t + along) + std::uint64_t(2 * across)
                                              : row(8 * t + across) + std::uint64_t(2 * along);
        std::uint16_t element;
        shared_.read(shared_offset(from), &element, sizeof element, line);
        r[std::size_t(t)] |= std::uint32_t(element) << (16 * k);
      }
    return r;
  });
}

std::array<float, 4> Thread::multiply_bfloat16(std::array<std::uint32_t, 4> a,
                                               std::array<std::uint32_t, 2> b,
                                               std::array<float, 4> c, At line) {
  float d[4];
  std::uint32_t left[4], right[2];
  std::copy(c.begin(), c.end(), d);
  std::copy(a.begin(), a.end(), left);
  std::copy(b.begin(), b.end(), right);
  team_.multiply_bfloat16(d, left, right, line);
  return std::to_array(d);
}
std::array<std::int32_t, 4> Thread::multiply_bytes(std::array<std::uint32_t, 4> a,
                                                   std::array<std::uint32_t, 2> b,
                                                   std::array<std::int32_t, 4> c, At line) {
  std::int32_t d[4];
  std::uint32_t left[4], right[2];
  std::copy(c.begin(), c.end(), d);
  std::copy(a.begin(), a.end(), left);
  std::copy(b.begin(), b.end(), right);
  team_.multiply_bytes(d, left, right, line);
  return std::to_array(d);
}

}  // namespace mct::cuda::ptx

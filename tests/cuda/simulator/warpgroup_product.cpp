// The matrix instructions of a warpgroup.
#include <algorithm>
#include <stdexcept>

#include "tests/cuda/simulator/simulated_team.hpp"

namespace mct::cuda {
namespace {

constexpr int depth = 16, rows = 64;

/// What a thread shows to the others of its warpgroup.
struct Shown {
  std::uint32_t a[4];
  std::uint64_t left, right;
  int columns;
  bool add;

  bool same_product(const Shown& other) const {
    return left == other.left && right == other.right && columns == other.columns &&
           add == other.add;
  }
};

[[noreturn]] void fail(const std::string& what, const Block& block, const Block::At& at) {
  throw SimulationError(what + ": thread " + std::to_string(block.current) + " of block " +
                        std::to_string(block.number) + ", line " + std::to_string(at.line()));
}

Shown shown_by(const Block& block, int thread) {
  Shown r;
  std::memcpy(&r, block.thread(thread).shown, sizeof r);
  return r;
}

/// `lines` rows or columns of a factor, the coordinates of each.
std::vector<float> read(FactorReading& reading, const SimulatedTeam::Factor& of, int lines,
                        bool of_lines, const Block& block, const Block::At& at) {
  try {
    const DecodedDescriptor place(of.descriptor.bits());
    std::vector<float> r;
    for (int line = 0; line < lines; ++line)
      for (int k = 0; k < depth; ++k)
        r.push_back(reading.read(
            *of.memory, of_lines ? place.of_lines(line, k) : place.of_coordinates(line, k), at));
    return r;
  } catch (const std::invalid_argument& error) {
    fail(error.what(), block, at);
  }
}

}  // namespace

void SimulatedTeam::start_product(std::span<float* const> sums,
                                  std::span<const std::uint32_t* const> a,
                                  const Factor* a_in_memory, const Factor& b, bool add,
                                  const At& at) const {
  Block& here = *block;
  const int first = here.current / Block::warpgroup * Block::warpgroup;
  if (first + Block::warpgroup > here.size()) fail("a product of less than a warpgroup", here, at);
  const int columns = int(sums.size()) * 2;
  Shown mine{{},
             a_in_memory != nullptr ? a_in_memory->descriptor.bits() : 0,
             b.descriptor.bits(),
             columns,
             add};
  for (std::size_t i = 0; i < a.size(); ++i) mine.a[i] = *a[i];
  static_assert(sizeof mine <= sizeof(Block::Thread::shown));
  std::memcpy(here.self().shown, &mine, sizeof mine);
  here.park("product", at);
  if (!mine.same_product(shown_by(here, first)))
    fail("a warpgroup with different products", here, at);
  Block::Factors& factors = here.factors();
  if (factors.users++ == 0) {
    factors.reading = std::make_shared<FactorReading>();
    factors.right = read(*factors.reading, b, columns, a_in_memory == nullptr, here, at);
    if (a_in_memory != nullptr)
      factors.left = read(*factors.reading, *a_in_memory, rows, false, here, at);
  }
  std::vector<float> values;
  const std::string wrong = here.self().products.begin(sums, add, values);
  if (!wrong.empty()) fail(wrong, here, at);
  float left[2][depth];  // of the two rows of this thread
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < depth; ++k) {
      const int row = (here.current - first) / Block::warp * 16 + lane() / 4 + 8 * side;
      if (a_in_memory != nullptr) {
        left[side][k] = factors.left[std::size_t(row * depth + k)];
      } else {  // lane k / 2 mod 4 of four has it, in the upper half if k is odd
        const int holder = here.current / 4 * 4 + k / 2 % 4;
        const std::uint32_t pair = shown_by(here, holder).a[side + k / 8 * 2];
        left[side][k] = std::bit_cast<float>(k % 2 != 0 ? pair & 0xffff0000u : pair << 16);
      }
    }
  for (int i = 0; i < int(sums.size()); ++i) {
    const int column = i / 4 * 8 + lane() % 4 * 2 + i % 2;
    float right[depth];
    std::copy_n(&factors.right[std::size_t(column * depth)], depth, right);
    float& sum = values[std::size_t(i)];
    sum = tensor_core_sum(sum, left[i / 2 % 2], right, here.tensor_core);
  }
  here.self().products.start(sums, values, a, factors.reading);
  if (factors.users == Block::warpgroup) factors = {};
  here.park("product", at);  // nobody shows something else before all have read
}

void SimulatedTeam::wait_for_products(int left, const At& at) const {
  const std::string wrong = block->self().products.wait(left + block->faults->unawaited_products());
  if (!wrong.empty()) fail(wrong, *block, at);
}

}  // namespace mct::cuda

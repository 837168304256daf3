#include "tests/cuda/simulator/products_under_way.hpp"

#include <algorithm>
#include <bit>

namespace mct::cuda {
namespace {

constexpr std::uint32_t under_way = 0x7fdeadc0;

}  // namespace

std::string ProductsUnderWay::begin(std::span<float* const> sums, bool add,
                                    std::vector<float>& values) const {
  if (!fenced_) return "a product of registers without a fence of products before";
  values.clear();
  for (float* const sum : sums) {
    const auto found = sums_.find(sum);
    if (found != sums_.end() && found->second.shape != sums.size())
      return "a product of the sums of another one of another shape, which is under way";
    const float before = found == sums_.end() ? *sum : found->second.value;
    values.push_back(add ? before : 0.0F);
  }
  return {};
}

void ProductsUnderWay::start(std::span<float* const> sums, const std::vector<float>& values,
                             std::span<const std::uint32_t* const> left,
                             std::shared_ptr<FactorReading> reading) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums_[sums[i]] = {values[i], sums.size(), group_};
    *sums[i] = std::bit_cast<float>(under_way);
  }
  Product product{group_, {}, std::move(reading)};
  for (const std::uint32_t* const each : left) product.left.emplace_back(each, *each);
  products_.push_back(std::move(product));
}

std::string ProductsUnderWay::wait(int left) {
  fenced_ = false;  // registers may be used now
  const int done = group_ - 1 - left;
  std::string wrong;
  for (auto i = sums_.begin(); i != sums_.end();) {
    if (i->second.group > done) {
      ++i;
      continue;
    }
    if (std::bit_cast<std::uint32_t>(*i->first) != under_way)
      wrong = "a sum was written to while its product was under way";
    *i->first = i->second.value;
    i = sums_.erase(i);
  }
  const auto is_done = [&](const Product& product) {
    if (product.group > done) return false;
    for (const auto& [now, then] : product.left)
      if (*now != then) wrong = "a left fragment was written to while its product was under way";
    return true;
  };
  products_.erase(std::remove_if(products_.begin(), products_.end(), is_done), products_.end());
  return wrong;
}

}  // namespace mct::cuda

// The suite's sums and products of tensors.
#include "validation/core/operations_convert.hpp"
#include "validation/core/product_task.hpp"

namespace mct::validation {

namespace {

template <class T, int N>
void add_products(TaskList& list) {
  const std::string type = type_name<T, N>();
  for (const Product product : {Product::dot, Product::mv, Product::mm, Product::sum})
    list.push_back(std::make_unique<ProductTask<T, N>>(product, type));
  if constexpr (std::is_same_v<T, double> && N <= 3)
    list.push_back(std::make_unique<ProductTask<T, N>>(Product::mm_normwise, type));
  if constexpr (N > 1)
    list.push_back(std::make_unique<ProductTask<T, N>>(Product::dot_plain, type));
}

}  // namespace

void add_product_tasks(TaskList& list) {
#define MCT_ADD_PRODUCTS(T, N) add_products<T, N>(list);
  MCT_FOR_EACH_NUMBER_TENSOR(MCT_ADD_PRODUCTS)
#undef MCT_ADD_PRODUCTS
}

}  // namespace mct::validation

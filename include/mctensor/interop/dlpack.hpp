// Shares plain tensors with other libraries without a copy, by DLPack.
//
// This header uses <dlpack/dlpack.h> if it is installed, or a copy of it (0.6 or later) that was
// included before. Otherwise it declares the same structures. Link mctensor::mctensor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "mctensor/config.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

#if !defined(DLPACK_VERSION) && !defined(DLPACK_MAJOR_VERSION)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#else
// The structures of DLPack's ABI, 0.6 and later, with the comments of this library.
#define DLPACK_VERSION 80

extern "C" {

enum DLDeviceType : std::int32_t { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3 };

struct DLDevice {
  DLDeviceType device_type;
  std::int32_t device_id;
};

enum DLDataTypeCode {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6
};

struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;    // of one lane
  std::uint16_t lanes;  // numbers in an element
};

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: row-major
  std::uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);  // may be null
};

}  // extern "C"
#endif
#endif

namespace mct {

namespace interop_detail {

/// kDLBool, which DLPack 0.6 does not declare yet.
inline constexpr int dlpack_bool = 6;

/// DLPack's description of T.
template <class T>
constexpr DLDataType dlpack_type() {
  int code = kDLFloat;
  if (std::is_same_v<T, bfloat16>) code = kDLBfloat;
  if (std::is_same_v<T, std::int64_t>) code = kDLInt;
  if (std::is_same_v<T, bool>) code = dlpack_bool;
  return {std::uint8_t(code), std::uint8_t(8 * sizeof(T)), 1};
}

inline std::string to_string(const DLDataType& type) {
  return "(code " + std::to_string(int(type.code)) + ", " + std::to_string(int(type.bits)) +
         " bits, " + std::to_string(int(type.lanes)) + " lanes)";
}

/// An exported tensor: the DLPack structures, and the handle that keeps the memory.
template <class Handle>
struct DlpackExport {
  DLManagedTensor managed;
  Handle tensor;
  Shape shape;
  Shape strides;
};

/// Exports a plain tensor of any device.
template <class Handle>
DLManagedTensor* export_dlpack(const Handle& x, const Shape& strides, DLDeviceType type,
                               int device) {
  using Export = DlpackExport<Handle>;
  auto result = std::make_unique<Export>(Export{{}, x, x.shape(), strides});
  DLTensor& tensor = result->managed.dl_tensor;
  tensor.data = x.numel() > 0 ? x.data() : nullptr;
  tensor.device.device_type = type;
  tensor.device.device_id = device;
  tensor.ndim = x.dim();
  tensor.dtype = dlpack_type<typename Handle::Component>();
  tensor.shape = result->shape.data();
  tensor.strides = result->strides.data();
  tensor.byte_offset = 0;
  result->managed.manager_ctx = result.get();
  result->managed.deleter = [](DLManagedTensor* self) {
    delete static_cast<Export*>(self->manager_ctx);
  };
  return &result.release()->managed;
}

/// Owns an imported tensor: calls its deleter when the last handle on its memory is destroyed.
struct DlpackImport {
  DLManagedTensor* managed = nullptr;
  DlpackImport() = default;
  DlpackImport(const DlpackImport&) = delete;
  DlpackImport& operator=(const DlpackImport&) = delete;
  ~DlpackImport() {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
  }
};

/// Throws DeviceError or DomainError unless the elements are T in memory of this kind of device.
template <class T>
void check_dlpack_type(const DLTensor& source, DLDeviceType device, const char* device_name) {
  if (source.device.device_type != device)
    throw DeviceError("DLPack: the tensor is on device " + std::to_string(source.device.device_id) +
                      " of type " + std::to_string(int(source.device.device_type)) + ", not on " +
                      device_name + " (type " + std::to_string(int(device)) + ")");
  constexpr DLDataType wanted = dlpack_type<T>();
  const DLDataType found = source.dtype;
  const bool is_byte = std::is_same_v<T, bool> && found.code == kDLUInt;
  if ((found.code != wanted.code && !is_byte) || found.bits != wanted.bits || found.lanes != 1)
    throw DomainError("DLPack: the elements have the type " + to_string(found) + ", expected " +
                      to_string(wanted));
}

/// Tensors with more dimensions are refused; NumPy 2 has the same limit.
inline constexpr int max_dlpack_dims = 64;

/// The elements of a DLPack tensor: their address, shape and strides.
template <class T>
struct DlpackArray {
  T* data = nullptr;
  Shape shape, strides;

  /// Throws ShapeError and DomainError.
  explicit DlpackArray(const DLTensor& source) {
    if (source.ndim < 0 || (source.ndim > 0 && source.shape == nullptr))
      throw ShapeError("DLPack: a tensor of " + std::to_string(source.ndim) +
                       " dimensions has no shape");
    if (source.ndim > max_dlpack_dims)
      throw ShapeError("DLPack: a tensor of " + std::to_string(source.ndim) +
                       " dimensions; at most " + std::to_string(max_dlpack_dims) + " can be read");
    shape = Shape(source.shape, source.shape + source.ndim);
    const std::int64_t count = numel(shape);
    strides = source.strides == nullptr ? contiguous_strides(shape)
                                        : Shape(source.strides, source.strides + source.ndim);
    if (count > 0 && source.data == nullptr)
      throw DomainError("DLPack: the data of a tensor of shape " + mct::to_string(shape) +
                        " are a null pointer");
    char* const first =
        source.data == nullptr ? nullptr : static_cast<char*>(source.data) + source.byte_offset;
    if (count > 0 && reinterpret_cast<std::uintptr_t>(first) % alignof(T) != 0)
      throw DomainError("DLPack: the elements are not aligned to " + std::to_string(alignof(T)) +
                        " bytes");
    data = reinterpret_cast<T*>(first);
  }
};

/// Throws DomainError if a byte is neither 0 nor 1, because such a byte is no valid bool.
inline void check_mask(const unsigned char* data, const Shape& shape, const Shape& strides,
                       std::size_t dim = 0) {
  if (dim < shape.size()) {
    // a stride of 0 shows the same byte again
    const std::int64_t size = strides[dim] == 0 ? 1 : shape[dim];
    for (std::int64_t i = 0; i < size; ++i)
      check_mask(data + i * strides[dim], shape, strides, dim + 1);
  } else if (*data > 1) {
    throw DomainError("DLPack: an element of a mask is " + std::to_string(int(*data)) +
                      ", 0 or 1 is expected");
  }
}

}  // namespace interop_detail

inline namespace MCT_ISA_NAMESPACE {

/// A DLPack tensor on the memory of x. The memory lives until the deleter has been called and no
/// Tensor refers to it. The receiver calls the deleter once. Types: kDLFloat for double, float and
/// half, kDLBfloat, kDLInt, kDLBool (8 bits).
template <class T>
DLManagedTensor* to_dlpack(const Tensor<T, 1>& x) {
  return interop_detail::export_dlpack(x, x.strides(), kDLCPU, 0);
}

/// A view of a DLPack tensor of elements T; a mask may come as kDLBool or kDLUInt of 8 bits. The
/// view owns the DLPack tensor: its deleter is called when the last tensor on this memory is
/// destroyed.
///
/// Throws DeviceError if the memory is not CPU memory. Throws DomainError for another type, more
/// than one lane, an address that is not aligned for T, a null pointer, and a byte other than 0 and
/// 1 in a mask of kDLUInt. Throws ShapeError for an invalid shape and for more than 64 dimensions.
/// After an exception the caller still owns the DLPack tensor.
template <class T>
Tensor<T, 1> from_dlpack(DLManagedTensor* managed) {
  if (managed == nullptr) throw DomainError("DLPack: the tensor is a null pointer");
  const DLTensor& source = managed->dl_tensor;
  interop_detail::check_dlpack_type<T>(source, kDLCPU, "the CPU");
  const interop_detail::DlpackArray<T> array(source);
  if (std::is_same_v<T, bool> && source.dtype.code == kDLUInt && numel(array.shape) > 0)
    interop_detail::check_mask(reinterpret_cast<const unsigned char*>(array.data), array.shape,
                               array.strides);
  auto owner = std::make_shared<interop_detail::DlpackImport>();
  auto x = Tensor<T, 1>::from_memory(array.data, array.shape, array.strides, 0,
                                     [kept = owner]() mutable { kept.reset(); });
  owner->managed = managed;  // last: nothing throws from here on
  return x;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct

// Shares plain GPU tensors with other libraries without a copy, by DLPack's kDLCUDA. Link
// mctensor::cuda.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/interop/dlpack.hpp"

namespace mct::cuda {

/// A DLPack tensor on the memory of x, as from mct::to_dlpack. The function first waits for the
/// stream of x, because DLPack does not tell the receiver which stream writes the elements.
template <class T>
DLManagedTensor* to_dlpack(const DeviceTensor<T, 1>& x) {
  x.stream().synchronize();
  return interop_detail::export_dlpack(x, contiguous_strides(x.shape()), kDLCUDA, x.device());
}

/// A view of a DLPack tensor on the device of a stream. The caller must make sure that the elements
/// are written before the stream runs later work. The view owns the DLPack tensor, as in
/// mct::from_dlpack, and waits for the stream before it calls the deleter.
///
/// Throws as mct::from_dlpack does. Throws DeviceError if the memory is not on the device of the
/// stream, and ShapeError unless the tensor is row-major without gaps.
template <class T>
DeviceTensor<T, 1> from_dlpack(DLManagedTensor* managed, const Stream& stream = default_stream()) {
  if (managed == nullptr) throw DomainError("DLPack: the tensor is a null pointer");
  const DLTensor& source = managed->dl_tensor;
  interop_detail::check_dlpack_type<T>(source, kDLCUDA, "a CUDA device");
  if (source.device.device_id != stream.device())
    throw DeviceError("DLPack: the tensor is on device " + std::to_string(source.device.device_id) +
                      ", the stream on device " + std::to_string(stream.device()));
  const interop_detail::DlpackArray<T> array(source);
  const Shape wanted = contiguous_strides(array.shape);
  const bool is_empty = numel(array.shape) == 0;
  for (std::size_t d = 0; d < wanted.size() && !is_empty; ++d)
    if (array.shape[d] != 1 && array.strides[d] != wanted[d])
      throw ShapeError(
          "DLPack: a tensor of shape " + mct::to_string(array.shape) + " with strides " +
          mct::to_string(array.strides) +
          ", on a device the strides of row-major order are expected: " + mct::to_string(wanted));
  auto owner = std::make_shared<interop_detail::DlpackImport>();
  auto x = DeviceTensor<T, 1>::from_memory(array.data, array.shape, stream, 0,
                                           [kept = owner]() mutable { kept.reset(); });
  owner->managed = managed;  // last: nothing throws from here on
  return x;
}

}  // namespace mct::cuda

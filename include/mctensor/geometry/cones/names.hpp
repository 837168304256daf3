// Names and numbers of the systems of cones and of their operations.
#pragma once

#include "mctensor/geometry/cones/operations.hpp"

namespace mct::geometry {

/// The systems, and the names of their classes in the same order.
enum class ConeSystemName { umbral, penumbral, antumbral, count };
inline constexpr const char* cone_system_names[] = {"UmbralCones", "PenumbralCones",
                                                    "AntumbralCones"};

/// The operations in the order of their list, and then projx, the projection to points that have a
/// cone.
#define MCT_NAME_OPERATION(op, kinds, gives) op,
enum class ConeOperationName { MCT_FOR_EACH_CONE_OPERATION(MCT_NAME_OPERATION) projx, count };
#undef MCT_NAME_OPERATION
#define MCT_NAME_OPERATION(op, kinds, gives) #op,
inline constexpr const char* cone_operation_names[] = {
    MCT_FOR_EACH_CONE_OPERATION(MCT_NAME_OPERATION) "projx"};
#undef MCT_NAME_OPERATION

}  // namespace mct::geometry

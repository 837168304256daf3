// Names of the systems of cones and of their operations. This header has no code.
#pragma once

#include "mctensor/geometry/cones/operations.hpp"

namespace mct::geometry {

/// The numbers of the systems, and the names of their classes.
enum class ConeSystemName { umbral, penumbral, antumbral, count };
inline constexpr const char* cone_system_names[] = {"UmbralCones", "PenumbralCones",
                                                    "AntumbralCones"};

/// The operations by their number in the list, and the projection to points that have a cone.
#define MCT_NAME_OPERATION(op, kinds, gives) op,
enum class ConeOperationName { MCT_FOR_EACH_CONE_OPERATION(MCT_NAME_OPERATION) projx, count };
#undef MCT_NAME_OPERATION
#define MCT_NAME_OPERATION(op, kinds, gives) #op,
inline constexpr const char* cone_operation_names[] = {
    MCT_FOR_EACH_CONE_OPERATION(MCT_NAME_OPERATION) "projx"};
#undef MCT_NAME_OPERATION

}  // namespace mct::geometry

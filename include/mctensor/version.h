/* The version of MCTensor, for C and C++. CMake, pkg-config, the packages, `mct --version`,
 * mct_version() of the C interface and Python read it from these three lines.
 *
 * Semantic versions: while MAJOR is 0, MINOR changes where programs may have to be changed or
 * compiled again, and PATCH where they need not. */
#ifndef MCTENSOR_VERSION_H
#define MCTENSOR_VERSION_H

#define MCT_VERSION_MAJOR 0
#define MCT_VERSION_MINOR 3
#define MCT_VERSION_PATCH 0

#define MCT_VERSION_TEXT_OF_(a, b, c) #a "." #b "." #c
#define MCT_VERSION_TEXT_(a, b, c) MCT_VERSION_TEXT_OF_(a, b, c)
/* "0.3.0" and its like. */
#define MCT_VERSION MCT_VERSION_TEXT_(MCT_VERSION_MAJOR, MCT_VERSION_MINOR, MCT_VERSION_PATCH)

#endif

// SPDX-License-Identifier: Apache-2.0
// Lets one header be read by GLSL and by C++. Structs here hold 4-byte scalars only.
#ifndef DRAGOMAN_SHARED_SCALAR_H
#define DRAGOMAN_SHARED_SCALAR_H
#ifdef __cplusplus
#include <cstdint>
namespace dragoman::shared {
using uint = uint32_t;
}
#define DRAGOMAN_SHARED_BEGIN namespace dragoman::shared {
#define DRAGOMAN_SHARED_END }
#else
#define DRAGOMAN_SHARED_BEGIN
#define DRAGOMAN_SHARED_END
#endif
#endif

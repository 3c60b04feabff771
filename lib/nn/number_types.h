// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/dtype.h"

namespace dragoman::nn {

// The numbers that a network computes with. `products`: i8 where inputs and weights of matrix products are rounded to
// int8, otherwise as `others`, the type of everything else: f32 or f16.
struct NumberTypes {
    DType products, others;
    NumberTypes(DType type) : NumberTypes(type, type == DType::i8 ? DType::f32 : type) {}  // NOLINT: a type is one
    NumberTypes(DType for_products, DType for_others) : products(for_products), others(for_others) {}
    bool operator==(const NumberTypes&) const = default;
};

// "float32", "float16", "int8", "int8_float16"
inline std::string_view name(const NumberTypes& types) {
    return types.products == DType::i8 && types.others == DType::f16 ? "int8_float16" : dragoman::name(types.products);
}

}  // namespace dragoman::nn

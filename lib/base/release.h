// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dragoman {

// Empties a container and gives its memory back. `value = {}` keeps that of a vector or string: it assigns an empty list.
template <class Container>
void release(Container& value) {
    Container().swap(value);
}

}  // namespace dragoman

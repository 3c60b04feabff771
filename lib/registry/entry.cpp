// SPDX-License-Identifier: Apache-2.0
#include "registry/entry.h"

namespace dragoman::registry {

uint64_t Entry::bytes() const {
    uint64_t sum = 0;
    for (const RemoteFile& file : files) {
        if (file.bytes == 0) return 0;
        sum += file.bytes;
    }
    return sum;
}

}  // namespace dragoman::registry

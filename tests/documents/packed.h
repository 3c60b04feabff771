// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zip.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace dragoman::documents::test {

using Members = std::vector<std::pair<std::string, std::string>>;

// A zip archive of these members in their order, the first one stored.
inline std::string packed(const Members& members) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_source_keep(target);
    zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
    for (const auto& [name, bytes] : members) {
        zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
        const zip_int64_t place = zip_file_add(archive, name.c_str(), source, 0);
        zip_set_file_compression(archive, zip_uint64_t(place), place == 0 ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
    }
    DRAGOMAN_ASSERT(zip_close(archive) == 0);
    zip_stat_t stat;
    zip_source_open(target);
    zip_source_stat(target, &stat);
    std::string bytes(stat.size, '\0');
    zip_source_read(target, bytes.data(), bytes.size());
    zip_source_close(target);
    zip_source_free(target);
    return bytes;
}

}  // namespace dragoman::documents::test

// SPDX-License-Identifier: Apache-2.0
// The name is the address of one file, "#sha256=..." behind it its hash.
#include "base/error.h"
#include "registry/mirror.h"
#include "registry/packing.h"
#include "registry/safe_text.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {

Entry read_address(const Registry& registry, const std::string& url) {
    Entry entry;
    entry.registry = registry.id;
    entry.model = url;
    entry.license = registry.license;
    RemoteFile file;
    try {
        file.url = checked_url("url", url);
        if (const std::size_t hash = file.url.find('#'); hash != file.url.npos) {
            const std::string fragment = file.url.substr(hash + 1);
            if (!fragment.starts_with("sha256="))
                fail(Status::bad_model, "#{}: expected nothing, or #sha256= and 64 digits", shown_text(fragment));
            file.sha256 = checked_hash("sha256", fragment.substr(7), 64);
            file.url.resize(hash);
        }
        const std::string name = file_name_of(file.url);
        file.packing = packing_of(name);
        file.name = checked_file_name("the file's name in the address",
                                      file.packing == Packing::file ? unpacked_name(name) : name);
    } catch (const Error& error) {
        fail(Status::invalid_argument, "{}:{}: {}", registry.id, shown_text(url), error.what());
    }
    entry.publisher = server_of(file.url).substr(file.url.find("://") + 3);
    entry.files.push_back(std::move(file));
    return entry;
}

}  // namespace dragoman::registry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "download/transfer.h"
#include "registry/entry.h"
#include "registry/registry.h"

namespace dragoman::registry {

struct CatalogOptions {
    bool offline = false;         // only what is cached; also by DRAGOMAN_OFFLINE
    bool refresh = false;         // ask again, however young the lists are
    double most_age_hours = 24;   // a list that is younger is not asked for again
    uint64_t memory_bytes = 0;    // of the device that is to hold a model; 0: not known
    std::vector<std::string> only;  // ids; empty: all registries with a list
    download::Settings transfer;
    download::ProgressFn progress;
};

struct Listing {
    const Registry* registry = nullptr;
    std::vector<Entry> entries;
    std::string fetched_at;       // ISO 8601, UTC; "" never
    std::string problem;          // why there are none or only old ones; ""
};

// Lists of registries, kept with their age. A registry that cannot be reached gives what is cached and says why.
class Catalog {
public:
    explicit Catalog(CatalogOptions options);
    const std::vector<Registry>& registries() const { return registries_; }
    uint64_t memory_bytes() const { return options_.memory_bytes; }
    const std::vector<Listing>& listings();          // brings them when first asked for
    // Entries whose languages fit (spec::best_match), "" standing for any; best first by the rule of choice.h.
    std::vector<Entry> search(const std::string& from, const std::string& to);
    // The entry with its files. A name may go on with "@VERSION", and spell languages otherwise ("opus:deu_eng"), so
    // that the entry's name() is the one to keep. Asks the registry where its list does not have them. Throws
    // invalid_argument for names that nothing has, with the nearest ones; io_error where offline or not reachable.
    Entry resolve(std::string_view name);
    // Asks the servers for sizes of files that the registry has none of, for people who are asked whether to download
    // them. What they do not say stays unknown; nothing is asked while offline.
    void ask_sizes(Entry& entry) const;

private:
    struct Kept {
        Listing listing;
        std::vector<Entry> pinned;  // NAME@VERSION, see versions.h
    };
    const Kept& bring(const Registry& registry);
    void fill(Kept& kept, const Registry& registry) const;

    CatalogOptions options_;
    std::vector<Registry> registries_;
    std::map<std::string, Kept> kept_;  // by the registry's id
    std::vector<Listing> listings_;
    bool listed_ = false;
};

}  // namespace dragoman::registry

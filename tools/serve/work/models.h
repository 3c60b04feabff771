// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "serve/problem.h"

// The room of work: models, translations, documents, glossaries. It knows nothing of HTTP or of whom it imitates.
namespace serve::work {

struct ModelsOptions {
    std::vector<std::string>
        models;     // paths or names; empty: DRAGOMAN_MODEL, those on this machine, the one that ships
    std::string device, cache_dir, compute_type;  // as of the tool; empty: the library's defaults
    std::uint64_t memory_bytes = 0;      // of the device, for models and their work; 0: no limit of our own
    std::size_t most_loaded = 0;         // models; 0: as many as the memory takes
    bool offline = false;                // no downloads
    bool preload = true;                 // the first model is loaded at the start
};

// A model as clients see it.
struct ModelInfo {
    std::string name;                        // "firefox:de-en", or the end of its path; unique in the service
    std::string path;                        // for the operator only, never for clients without the right
    std::vector<dragoman::Language> from, to;
    std::string state;                       // "known", "loading", "loaded", "failed"
    std::string error;                       // of a failed one
    std::string family, license;             // may be empty
    std::uint64_t bytes = 0;                 // of its files
    std::uint64_t requests = 0;              // that it served
    bool many_targets = false;               // its options need a target language
};

struct ServedLanguage {
    std::string tag, name;             // "pt-BR", "Portuguese (Brazil)"
    std::vector<std::string> targets;  // tags, over pivots, too; itself included
};

// A way from one language to another that is loaded: a model, or several one after the other. Whoever holds it keeps it
// loaded, even when the service unloads or reloads its models.
struct Way {
    std::vector<std::string> models;  // names
    std::vector<std::shared_ptr<dragoman::Model>> loaded;
    std::shared_ptr<dragoman::Translator> translator;
    std::string from, to;  // as the translator's options take them; empty where it must not be said
};

// Any thread, all of it.
class Models {
public:
    explicit Models(const ModelsOptions& options);
    ~Models();
    // Loads nothing more: waits for what is being loaded, and refuses those who wait for the rest. Behind it nobody is
    // called back later.
    void end();

    std::vector<ServedLanguage> languages() const;  // English first, the rest by name
    // The tag of a language that is served, for a tag or code in any of its spellings and cases ("DE", "deu_Latn",
    // "zh", "zh-Hans", "zt", "pb", "pt-BR", "iw", "nb", "german"); empty: it is not.
    std::string language(const std::string& given) const;
    bool translates(const std::string& from, const std::string& to) const;  // served tags

    // Calls back with a way, at once where it is loaded, otherwise from a thread that loads it. `model`: its name;
    // empty: the first one named that leads there directly, otherwise a pivot. Served tags.
    using Found = std::function<void(std::variant<std::shared_ptr<Way>, Problem>)>;
    void way(const std::string& from, const std::string& to, const std::string& model, Found found);

    std::vector<ModelInfo> list() const;
    std::optional<ModelInfo> find(const std::string& name) const;
    bool ready() const;  // the first model is loaded, or loading it has failed (see list())
    // Adds what is here or, where downloads are allowed, can be brought; and reads those that are there anew. Waits.
    // `progress`: done and total bytes; false stops it. Throws Problem.
    using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;
    ModelInfo add(const std::string& name, const Progress& progress);
    void load(const std::string& name);  // waits; throws Problem
    void unload(const std::string& name);  // requests at work keep it until they are done
    void remove(const std::string& name);  // from the service, not from the disk
    void reload();  // all, from their files, without dropping a request: SIGHUP

    struct DeviceState {
        std::string name, driver;
        std::uint64_t held_bytes = 0, peak_bytes = 0, limit_bytes = 0, heap_bytes = 0;
    };
    DeviceState device() const;
    dragoman_stats stats() const;  // of all translators together
    // The device of a way was lost: models on it are forgotten, and the next request opens the device again.
    void lost(const Way& way);
    // What was left out at the start, and why; for the log.
    std::vector<std::string> notes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace serve::work

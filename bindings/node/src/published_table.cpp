// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_tables.py from models.h.
// clang-format off
#include <dragoman/models.h>

#include "fields.h"

namespace addon {

template <>
Fields fields<dragoman_models_options>() {
    static const Field all[] = {
        {"offline", Field::Kind::flag, offsetof(dragoman_models_options, offline)},
        {"refresh", Field::Kind::flag, offsetof(dragoman_models_options, refresh)},
        {"again", Field::Kind::flag, offsetof(dragoman_models_options, again)},
        {"parallel", Field::Kind::i32, offsetof(dragoman_models_options, parallel)},
        {"registries", Field::Kind::text, offsetof(dragoman_models_options, registries)},
        {"memoryBytes", Field::Kind::u64, offsetof(dragoman_models_options, memory_bytes)},
    };
    return all;
}

template <>
Fields fields<dragoman_published_model>() {
    static const Field all[] = {
        {"installed", Field::Kind::flag, offsetof(dragoman_published_model, installed)},
        {"name", Field::Kind::text, offsetof(dragoman_published_model, name)},
        {"title", Field::Kind::text, offsetof(dragoman_published_model, title)},
        {"publisher", Field::Kind::text, offsetof(dragoman_published_model, publisher)},
        {"license", Field::Kind::text, offsetof(dragoman_published_model, license)},
        {"version", Field::Kind::text, offsetof(dragoman_published_model, version)},
        {"architecture", Field::Kind::text, offsetof(dragoman_published_model, architecture)},
        {"metric", Field::Kind::text, offsetof(dragoman_published_model, metric)},
        {"path", Field::Kind::text, offsetof(dragoman_published_model, path)},
        {"owner", Field::Kind::text, offsetof(dragoman_published_model, owner)},
        {"notice", Field::Kind::text, offsetof(dragoman_published_model, notice)},
        {"gate", Field::Kind::text, offsetof(dragoman_published_model, gate)},
        {"quality", Field::Kind::f64, offsetof(dragoman_published_model, quality)},
        {"bytes", Field::Kind::u64, offsetof(dragoman_published_model, bytes)},
    };
    return all;
}

template <>
Fields fields<dragoman_published_file>() {
    static const Field all[] = {
        {"name", Field::Kind::text, offsetof(dragoman_published_file, name)},
        {"url", Field::Kind::text, offsetof(dragoman_published_file, url)},
        {"sha256", Field::Kind::text, offsetof(dragoman_published_file, sha256)},
        {"proof", Field::Kind::text, offsetof(dragoman_published_file, proof)},
        {"bytes", Field::Kind::u64, offsetof(dragoman_published_file, bytes)},
    };
    return all;
}

template <>
Fields fields<dragoman_registry>() {
    static const Field all[] = {
        {"id", Field::Kind::text, offsetof(dragoman_registry, id)},
        {"title", Field::Kind::text, offsetof(dragoman_registry, title)},
        {"homepage", Field::Kind::text, offsetof(dragoman_registry, homepage)},
        {"license", Field::Kind::text, offsetof(dragoman_registry, license)},
        {"notice", Field::Kind::text, offsetof(dragoman_registry, notice)},
        {"listUrl", Field::Kind::text, offsetof(dragoman_registry, list_url)},
        {"mirror", Field::Kind::text, offsetof(dragoman_registry, mirror)},
        {"file", Field::Kind::text, offsetof(dragoman_registry, file)},
        {"listTime", Field::Kind::text, offsetof(dragoman_registry, list_time)},
    };
    return all;
}

}  // namespace addon

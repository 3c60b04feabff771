// SPDX-License-Identifier: Apache-2.0
#include "serve/work/models.h"

#include <utility>

#include "serve/work/models_impl.h"
#include "serve/work/published.h"

namespace serve::work {
namespace {

ModelInfo shown(const CatalogModel& model) {
    ModelInfo info;
    info.name = model.name;
    info.path = model.path;
    for (const auto* side : {&model.from, &model.to})
        for (const CatalogModel::Language& language : *side)
            (side == &model.from ? info.from : info.to).push_back({language.tag, language.spelling, language.name});
    info.state = "known";
    info.family = model.family;
    info.license = model.license;
    info.bytes = model.bytes;
    info.many_targets = model.tells_languages && model.to.size() > 1;
    return info;
}

}  // namespace

Models::Impl::Impl(const ModelsOptions& given)
    : options(given), list(read_models(given)), pool(given), catalog(std::make_shared<const Catalog>(list.models)) {
    first = catalog->models().front()->name;
    if (options.preload) loader.post({[this] { load_one(first); }, [] {}});
}

std::shared_ptr<const Catalog> Models::Impl::models() const {
    const std::lock_guard lock(mutex);
    return catalog;
}

std::shared_ptr<const CatalogModel> Models::Impl::named(const std::string& name) const {
    auto model = models()->find(name);
    if (!model) throw Problem(Problem::Kind::not_found, "model " + name + " is not served here", name);
    return model;
}

void Models::Impl::replace(const std::function<void(ModelList&)>& change) {
    const std::lock_guard one_at_a_time(changing);
    ModelList next = list;
    change(next);
    auto made = std::make_shared<const Catalog>(next.models);
    list = std::move(next);
    const std::lock_guard lock(mutex);
    catalog = std::move(made);
}

Models::Models(const ModelsOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Models::~Models() = default;
void Models::end() { impl_->loader.end(); }

std::vector<ServedLanguage> Models::languages() const { return impl_->models()->languages(); }
std::string Models::language(const std::string& given) const { return impl_->models()->language(given); }
bool Models::translates(const std::string& from, const std::string& to) const {
    return impl_->models()->translates(from, to);
}

void Models::way(const std::string& from, const std::string& to, const std::string& model, Found found) {
    impl_->find(from, to, model, std::move(found));
}

std::vector<ModelInfo> Models::list() const {
    std::vector<ModelInfo> infos;
    for (const auto& model : impl_->models()->models()) {
        ModelInfo info = shown(*model);
        const bool loaded = impl_->pool.has(model->name);
        const std::lock_guard lock(impl_->mutex);
        if (const auto state = impl_->states.find(model->name); state != impl_->states.end()) {
            info.requests = state->second.requests;
            info.error = state->second.error;
            if (!info.error.empty()) info.state = "failed";
            if (state->second.loading) info.state = "loading";
        }
        if (loaded) info.state = "loaded";
        infos.push_back(std::move(info));
    }
    return infos;
}

std::optional<ModelInfo> Models::find(const std::string& name) const {
    for (ModelInfo& info : list())
        if (info.name == name) return std::move(info);
    return {};
}

bool Models::ready() const {
    const auto model = impl_->options.preload ? find(impl_->first) : std::nullopt;
    return !model || model->state == "loaded" || model->state == "failed";
}

ModelInfo Models::add(const std::string& name, const Progress& progress) {
    const bool published = is_published_name(name);
    if (!published && !impl_->models()->find(name))
        throw Problem(Problem::Kind::bad_request, name + " is no name of a published model", name);
    std::optional<PublishedModel> given;
    if (published) given = bring_model(name, impl_->options.offline, progress);
    impl_->replace([&](ModelList& list) { list.put(name, given); });
    if (impl_->pool.has(name)) {
        const auto model = impl_->named(name);
        impl_->loader.run_there([&] { impl_->loading({model}, [&] { impl_->pool.load_again(*model); }); });
    }
    return find(name).value();
}

void Models::load(const std::string& name) {
    const auto model = impl_->named(name);
    impl_->loader.run_there([&] { impl_->loading({model}, [&] { impl_->pool.load(*model); }); });
}

void Models::unload(const std::string& name) {
    impl_->named(name);
    impl_->loader.run_there([&] { impl_->pool.drop(name); });
}

void Models::remove(const std::string& name) {
    impl_->named(name);
    impl_->replace([&](ModelList& list) {
        if (list.models.size() == 1)
            throw Problem(Problem::Kind::gone_by, "model " + name + " is the only one that is served", name);
        list.remove(name);
    });
    impl_->loader.run_there([&] { impl_->pool.drop(name); });
}

void Models::reload() {
    impl_->replace([](ModelList& list) { list.read_again(); });
    impl_->loader.run_there([this] {
        for (const auto& model : impl_->models()->models())
            if (impl_->pool.has(model->name)) {
                try {
                    impl_->loading({model}, [&] { impl_->pool.load_again(*model); });
                } catch (const Problem&) {  // the old one goes on; list() says why
                }
            }
    });
}

Models::DeviceState Models::device() const { return impl_->pool.device(); }
dragoman_stats Models::stats() const { return impl_->pool.stats(); }
void Models::lost(const Way& way) { impl_->pool.lost(way); }
std::vector<std::string> Models::notes() const {
    const std::lock_guard lock(impl_->changing);
    return impl_->list.notes;
}

}  // namespace serve::work

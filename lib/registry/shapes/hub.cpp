// SPDX-License-Identifier: Apache-2.0
// Repositories of a Hugging Face Hub, which has no list: the name is a repository, "@revision" and ":file" may follow.
#include <algorithm>
#include <regex>

#include "base/error.h"
#include "registry/access_token.h"
#include "registry/mirror.h"
#include "registry/safe_text.h"
#include "registry/shapes/hub_files.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {
namespace {

constexpr int kMostPages = 200;
constexpr uint64_t kMostAnswer = 64ull << 20;

struct HubName {
    std::string repository, revision, select;
};

HubName read_hub_name(const Registry& registry, const std::string& model) {
    static const std::regex pattern("([A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?)(@([^:@]+))?(:(.+))?");
    std::smatch match;
    if (model.size() > 500 || !std::regex_match(model, match, pattern))
        fail(Status::invalid_argument, "{}:{}: expected OWNER/NAME, with @REVISION or :FILE behind it if need be",
             registry.id, shown_text(model));
    return {match[1], match[4], match[6]};
}

// Bytes that have no meaning in an address as they are, the others as %XX.
std::string escaped(std::string_view text, bool slashes_too) {
    std::string result;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~").find(c) != std::string_view::npos || (c == '/' && !slashes_too);
        result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

// The address of rel="next" in a Link header; "" where there is none.
std::string next_page(const std::map<std::string, std::string>& headers) {
    static const std::regex next("<([^<>]*)>\\s*;\\s*rel=\"?next\"?");
    const auto link = headers.find("link");
    std::smatch match;
    const bool found = link != headers.end() && link->second.size() < 4000 &&
                       std::regex_search(link->second, match, next);
    return found ? match[1].str() : "";
}

// One repository's answers.
class Hub {
public:
    Hub(const Registry& registry, std::string repository, const download::Settings& settings,
        const download::ProgressFn& progress)
        : rules(registry), registry_(registry), repository_(std::move(repository)), settings_(settings),
          progress_(progress) {
        endpoint_ = mirrored(registry, rules.endpoint);
        while (endpoint_.ends_with('/')) endpoint_.pop_back();
        settings_.most_text_bytes = std::min(settings_.most_text_bytes, kMostAnswer);
    }

    std::string page() const { return endpoint_ + "/" + repository_; }
    std::string api(const std::string& rest) const { return endpoint_ + "/api/models/" + repository_ + rest; }
    std::string file(const std::string& commit, const std::string& path) const {
        return page() + "/resolve/" + commit + "/" + escaped(path, false);
    }

    nlohmann::json get(const std::string& url, std::string* next = nullptr) const {
        download::Request request;
        request.url = url;
        request.not_there =
            "there is no repository or revision of this name, or only some may see it: HF_TOKEN names "
            "an account's token";
        request.token = access_token(registry_.id);
        request.where_to_accept = page();
        const download::Text text = download::get_text(request, settings_, progress_);
        if (next) *next = next_page(text.headers);
        try {
            return nlohmann::json::parse(text.body);
        } catch (const nlohmann::json::exception& error) {
            fail(Status::io_error, "{}: expected JSON: {}", url, error.what());
        }
    }

    std::vector<HubFile> tree(const std::string& commit) const {
        std::vector<HubFile> files;
        std::string url = api("/tree/" + commit + "?recursive=true");
        for (int page = 0; !url.empty(); ++page) {
            if (page == kMostPages) fail(Status::io_error, "{}: expected at most {} pages of files", url, kMostPages);
            std::string next;
            const nlohmann::json items = get(url, &next);
            if (!items.is_array()) fail(Status::io_error, "{}: expected a list, got {}", url, items.type_name());
            for (const nlohmann::json& item : items) add_file(item, files);
            // A mirror may hand on the addresses of the hub that it mirrors; the token stays with the mirror.
            const std::string_view server = server_of(next);
            url = next.empty() || server == server_of(endpoint_) ? next : endpoint_ + next.substr(server.size());
        }
        return files;
    }

    const HubRules rules;

private:
    static void add_file(const nlohmann::json& item, std::vector<HubFile>& files) {
        if (!item.is_object() || item.value("type", "") != "file") return;
        HubFile file{item.value("path", ""), item.value("size", uint64_t(0)), "", ""};
        if (!is_safe_file_name(file.path)) return;  // no model has such files
        if (const auto lfs = item.find("lfs"); lfs != item.end() && lfs->is_object()) {
            file.sha256 = checked_hash("lfs.oid", lfs->value("oid", ""), 64);
            file.bytes = lfs->value("size", file.bytes);
        } else {
            file.git_sha1 = checked_hash("oid", item.value("oid", ""), 40);
        }
        files.push_back(std::move(file));
    }

    const Registry& registry_;
    std::string repository_, endpoint_;
    download::Settings settings_;
    const download::ProgressFn& progress_;
};

// The weights that an index names, which it does once per tensor.
void add_shards(const Hub& hub, const std::string& commit, const std::vector<HubFile>& all, HubChoice& choice) {
    const nlohmann::json index = hub.get(hub.file(commit, choice.folder + choice.index));
    std::vector<std::string> names;
    for (const nlohmann::json& name : index.value("weight_map", nlohmann::json::object()))
        if (name.is_string()) names.push_back(name.get<std::string>());
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (names.empty()) fail(Status::bad_model, "{}: expected weight_map with files, it has none", choice.index);
    for (const std::string& name : names) {
        const auto found = std::ranges::find(all, choice.folder + name, &HubFile::path);
        if (found == all.end())
            fail(Status::bad_model, "{}: names {}, which is not there", choice.index, shown_text(name));
        choice.files.push_back(*found);
        choice.files.back().path = name;
    }
}

std::string license_of(const nlohmann::json& info) {
    const nlohmann::json card = info.value("cardData", nlohmann::json());
    if (!card.is_object()) return "";
    const auto license = card.find("license");
    if (license == card.end()) return "";
    const nlohmann::json& one = license->is_array() && !license->empty() ? (*license)[0] : *license;
    if (!one.is_string()) return "";
    const std::string id = one.get<std::string>();
    const auto name = card.find("license_name");
    return shown_text(id == "other" && name != card.end() && name->is_string() ? name->get<std::string>() : id);
}

Entry read_repository(const Registry& registry, const Hub& hub, const HubName& name, const std::string& model) {
    const nlohmann::json info =
        hub.get(hub.api(name.revision.empty() ? "" : "/revision/" + escaped(name.revision, true)));
    if (!info.is_object()) fail(Status::io_error, "expected an object, got {}", info.type_name());
    Entry entry;
    entry.registry = registry.id;
    entry.model = model;
    entry.version = checked_hash("sha", info.value("sha", ""), 40);
    if (entry.version.empty()) fail(Status::io_error, "expected the commit in \"sha\", it is missing");
    entry.license = license_of(info);
    entry.publisher = name.repository.substr(0, name.repository.find('/'));
    entry.title = name.repository;
    const nlohmann::json gated = info.value("gated", nlohmann::json());
    if (gated.is_string() || (gated.is_boolean() && gated.get<bool>())) entry.gate = hub.page();

    const std::vector<HubFile> all = hub.tree(entry.version);
    HubChoice choice = choose_files(hub.rules, all, name.select);
    if (!choice.index.empty()) add_shards(hub, entry.version, all, choice);
    if (std::ranges::find(choice.files, kModulesFile, &HubFile::path) != choice.files.end())
        add_modules(hub.get(hub.file(entry.version, choice.folder + kModulesFile)), all, choice);
    entry.architecture = choice.form;
    for (const HubFile& file : choice.files) {
        RemoteFile remote;
        remote.url = hub.file(entry.version, choice.folder + file.path);
        remote.name = checked_file_name("path", file.path);
        remote.bytes = remote.unpacked_bytes = file.bytes;
        remote.sha256 = file.sha256;
        remote.git_sha1 = file.git_sha1;
        entry.files.push_back(std::move(remote));
    }
    return entry;
}

}  // namespace

void check_hub(const Registry& registry) { const HubRules checked(registry); }

Entry ask_hub(const Registry& registry, const std::string& model, const download::Settings& settings,
              const download::ProgressFn& progress) {
    const HubName name = read_hub_name(registry, model);
    const Hub hub(registry, name.repository, settings, progress);
    try {
        return read_repository(registry, hub, name, model);
    } catch (const Error& error) {
        fail(error.status(), "{}:{}: {}", registry.id, model, error.what());
    } catch (const nlohmann::json::exception& error) {  // a field of another type
        fail(Status::io_error, "{}:{}: an answer that is not understood: {}", registry.id, model, error.what());
    }
}

}  // namespace dragoman::registry

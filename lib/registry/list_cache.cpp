// SPDX-License-Identifier: Apache-2.0
#include "registry/list_cache.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"
#include "base/os/path_text.h"
#include "files/new_file.h"
#include "registry/iso_time.h"

namespace dragoman::registry {
namespace {

constexpr int kListFormat = 1;

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& id) {
    return folder / path_of(id + ".list");
}

}  // namespace

std::optional<CachedList> read_cached_list(const std::filesystem::path& folder, const std::string& id) {
    if (folder.empty()) return std::nullopt;
    std::ifstream in(file_of(folder, id), std::ios::binary);
    std::string first;
    if (!in || !std::getline(in, first)) return std::nullopt;
    try {
        const auto head = nlohmann::json::parse(first);
        if (head.at("format").get<int>() != kListFormat) return std::nullopt;
        const int64_t fetched = head.at("fetched").get<int64_t>();
        const std::size_t bytes = head.at("bytes").get<std::size_t>();
        if (fetched < 0 || fetched > int64_t(1) << 36) return std::nullopt;
        CachedList list{head.at("url").get<std::string>(),
                        iso_time(fetched),
                        double(seconds_now() - fetched) / 3600,
                        {std::istreambuf_iterator<char>(in), {}}};
        return list.body.size() == bytes ? std::optional(std::move(list)) : std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void write_cached_list(const std::filesystem::path& folder, const std::string& id, const std::string& url,
                       const std::string& body) {
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) fail(Status::io_error, "{}: {}", text_of(folder), error.message());
    const nlohmann::json head = {
        {"format", kListFormat}, {"url", url}, {"fetched", seconds_now()}, {"bytes", body.size()}};
    const std::string line = head.dump() + "\n";
    NewFile file(file_of(folder, id), true);
    file.write(std::as_bytes(std::span(line)));
    file.write(std::as_bytes(std::span(body)));
    file.finish();
}

}  // namespace dragoman::registry

// SPDX-License-Identifier: Apache-2.0
#include "registry/list_cache.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"
#include "base/os/path_text.h"
#include "files/new_file.h"

namespace dragoman::registry {
namespace {

constexpr int kListFormat = 1;

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& id) {
    return folder / path_of(id + ".list");
}

int64_t seconds_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

// "2026-11-26T10:00:00Z"
std::string iso_time(int64_t seconds) {
    const auto days = std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
    const std::chrono::year_month_day date(days);
    const int64_t of_day = seconds - std::chrono::duration_cast<std::chrono::seconds>(days.time_since_epoch()).count();
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()), unsigned(date.month()),
                       unsigned(date.day()), of_day / 3600, of_day / 60 % 60, of_day % 60);
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

std::string iso_time_now() { return iso_time(seconds_now()); }

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

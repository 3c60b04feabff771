// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/jobs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "serve/api/deepl/form.h"
#include "serve/guard/secrets.h"
#include "serve/problem.h"
#include "serve/work/kept_files.h"

namespace serve::api {
namespace {

constexpr std::size_t kDeeplOwnersShare = 4;  // a fourth
constexpr std::chrono::hours kDeeplJobTime{1};

}  // namespace

void DeeplJobs::forget_old() {
    const auto now = std::chrono::system_clock::now();
    for (auto at = jobs_.begin(); at != jobs_.end();) at = at->second.expires < now ? jobs_.erase(at) : std::next(at);
}

void DeeplJobs::make_room(const std::string& owner) {
    std::map<std::string, std::size_t> owners;
    for (const auto& [id, job] : jobs_) ++owners[job.owner];
    const std::size_t share = std::max<std::size_t>(owner.empty() ? most_ : most_ / kDeeplOwnersShare, 1);
    const bool has_share = owners[owner] >= share;
    if (!has_share && jobs_.size() < most_) return;
    auto oldest = jobs_.end();
    for (auto at = jobs_.begin(); at != jobs_.end(); ++at) {
        const DeeplJob& job = at->second;
        if (job.status != "awaiting_input" || (has_share && job.owner != owner)) continue;
        const auto place = [&](const DeeplJob& each) { return std::pair(owners[each.owner], ~each.number); };
        if (oldest == jobs_.end() || place(job) > place(oldest->second)) oldest = at;
    }
    if (oldest == jobs_.end())
        throw Problem(Problem::Kind::busy,
                      "too many jobs of translation memories are kept: " +
                          (has_share ? std::to_string(owners[owner]) + " of this key" : std::to_string(jobs_.size())),
                      "", 60);
    jobs_.erase(oldest);
}

DeeplJob& DeeplJobs::find(const std::string& id) {
    forget_old();
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) throw Problem(Problem::Kind::not_found, "Job not found", id);
    return found->second;
}

DeeplJob DeeplJobs::add(DeeplJob job) {
    const std::lock_guard lock(mutex_);
    forget_old();
    make_room(job.owner);
    job.id = work::random_uuid();
    job.secret = work::random_uuid();
    job.number = ++count_;
    job.created = job.updated = std::chrono::system_clock::now();
    job.expires = job.created + kDeeplJobTime;
    return jobs_.emplace(job.id, std::move(job)).first->second;
}

DeeplJob DeeplJobs::get(const std::string& owner, const std::string& id) {
    const std::lock_guard lock(mutex_);
    const DeeplJob& job = find(id);
    if (job.owner != owner) throw Problem(Problem::Kind::not_found, "Job not found", id);
    return job;
}

DeeplJob DeeplJobs::open(const std::string& id, const std::string& secret) {
    const std::lock_guard lock(mutex_);
    const DeeplJob& job = find(id);
    if (!guard::equal(job.secret, secret)) throw Problem(Problem::Kind::not_found, "Job not found", id);
    return job;
}

DeeplJob DeeplJobs::change(const std::string& id, const std::string& from,
                           const std::function<void(DeeplJob&)>& change) {
    const std::lock_guard lock(mutex_);
    DeeplJob& job = find(id);
    if (job.status != from) throw Problem(Problem::Kind::gone_by, "Job is " + job.status + ", not " + from, id);
    change(job);
    job.updated = std::chrono::system_clock::now();
    return job;
}

std::optional<DeeplJob> DeeplJobs::finished_export(const std::string& owner, const std::string& memory) {
    const std::lock_guard lock(mutex_);
    forget_old();
    for (const auto& [id, job] : jobs_)
        if (job.owner == owner && job.operation == "export" && job.memory == memory && job.status == "completed")
            return job;
    return {};
}

}  // namespace serve::api

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "serve/api/deepl/jobs.h"
#include "serve/problem.h"

namespace deepl_jobs_test {
using namespace serve;
using api::DeeplJob;
using api::DeeplJobs;

struct Office {
    DeeplJobs jobs{8};
    std::string add(const std::string& owner, const std::string& status = "awaiting_input") {
        DeeplJob job;
        job.owner = owner;
        job.status = status;
        return jobs.add(job).id;
    }
    bool has(const std::string& owner, const std::string& id) {
        try {
            return jobs.get(owner, id).id == id;
        } catch (const Problem& problem) {
            CHECK(problem.kind == Problem::Kind::not_found);
            return false;
        }
    }
    bool is_full(const std::string& owner) {
        try {
            add(owner);
        } catch (const Problem& problem) {
            CHECK(problem.kind == Problem::Kind::busy);
            return true;
        }
        return false;
    }
};

TEST_CASE("an owner has a quarter of the places, and the oldest import without a file goes first") {
    Office office;
    const std::string begun = office.add("anna", "processing"), first = office.add("anna");
    std::string last;
    for (int i = 0; i < 100; ++i) last = office.add("anna");
    CHECK(office.has("anna", begun));
    CHECK_FALSE(office.has("anna", first));
    CHECK(office.has("anna", last));
    office.jobs.change(last, "awaiting_input", [](DeeplJob& job) { job.status = "completed"; });
    CHECK(office.is_full("anna"));
    CHECK(office.has("anna", last));
    CHECK_FALSE(office.is_full("otto"));
}

TEST_CASE("where all places are taken, one of whoever has most goes") {
    Office office;
    std::vector<std::string> theirs;
    for (int i = 0; i < 6; ++i) theirs.push_back(office.add(""));  // without keys all are one
    const std::string annas = office.add("anna"), ottos = office.add("otto");
    const std::string emmas = office.add("emma");
    CHECK_FALSE(office.has("", theirs[0]));
    CHECK(office.has("", theirs[1]));
    CHECK(office.has("anna", annas));
    CHECK(office.has("otto", ottos));
    CHECK(office.has("emma", emmas));
    for (const std::string& id : theirs)
        if (office.has("", id)) office.jobs.change(id, "awaiting_input", [](DeeplJob& job) { job.status = "failed"; });
    CHECK_FALSE(office.is_full("emma"));  // in place of one of those with one each
    CHECK_FALSE(office.has("anna", annas));
    office.jobs.change(ottos, "awaiting_input", [](DeeplJob& job) { job.status = "processing"; });
    CHECK_FALSE(office.is_full("emma"));
    CHECK_FALSE(office.has("emma", emmas));
}

}  // namespace deepl_jobs_test

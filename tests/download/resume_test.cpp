// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "download/fault_server.h"
#include "support/refused.h"

namespace resume_test {
using namespace dragoman;
using namespace dragoman::test;

struct Served {
    FaultServer server;
    TempDir folder;
    const int size = 300'000;
    const std::string bytes = server.bytes(size);

    download::FileRequest request(const std::string& query, bool with_hash = true) const {
        download::FileRequest request;
        request.url = server.url("/bytes/300000/1" + query);
        request.partial = folder.path() / "partial";
        if (with_hash) request.sha256 = sha256_of(bytes);
        return request;
    }

    download::FileResult get(const download::FileRequest& request, int attempts = 4) const {
        download::Settings settings = soon_again();
        settings.attempts = attempts;
        return download::get_files({request}, settings, 1, {}).at(0);
    }

    void check_whole(const download::FileResult& result) const {
        CHECK(result.bytes == bytes.size());
        CHECK(result.sha256 == sha256_of(bytes));
        CHECK(read_file(folder.path() / "partial") == bytes);
    }

    void forget() const { std::filesystem::remove_all(folder.path() / "partial"); }
};

TEST_CASE("a file comes whole, and is not asked for again") {
    const Served served;
    served.check_whole(served.get(served.request("?id=whole")));
    served.check_whole(served.get(served.request("?id=whole")));
    const auto log = served.server.log_of("id=whole");
    REQUIRE(log.size() == 1);
    CHECK(log[0].find("Accept-Encoding: identity") != std::string::npos);
    CHECK(log[0].find("User-Agent: dragoman/") != std::string::npos);
    CHECK(log[0].find("Range") == std::string::npos);
}

TEST_CASE("sizes are told without the files") {
    const Served served;
    std::vector<download::Request> requests;
    for (const char* query : {"", "?norange=1", "?hops=2", "?norange=1&length=none", "?status=404"}) {
        requests.emplace_back();
        requests.back().url = served.server.url("/bytes/300000/1" + std::string(query));
    }
    requests.emplace_back();
    requests.back().url = served.server.url("/bytes/0/1");  // whose first byte nobody has
    download::Settings settings = soon_again();
    settings.attempts = 1;
    const auto size_of = [&](std::size_t i) { return download::get_sizes({requests[i]}, settings).at(0); };
    CHECK(size_of(0) == 300'000);
    CHECK(size_of(1) == 300'000);
    CHECK(size_of(2) == 300'000);
    for (const std::size_t unknown : {3, 4, 5}) CHECK(size_of(unknown) == 0);
    CHECK(download::get_sizes({requests[0], requests[1]}, settings) == std::vector<uint64_t>{300'000, 300'000});
    CHECK_THROWS(download::get_sizes({requests[0]}, settings, [](const auto&) { return false; }));
}

TEST_CASE("a connection that is cut at any byte goes on from there, in the same call and in a next one") {
    const Served served;
    std::vector<int> cuts = {0, 1, 2, 511, 512, 16'383, 16'384, 16'385, 262'143, 262'144, 299'998, 299'999};
    std::mt19937 random(3);
    for (int i = 0; i < 20; ++i) cuts.push_back(static_cast<int>(random() % 300'000));
    for (const int cut : cuts) {
        CAPTURE(cut);
        const std::string query = "?id=a" + std::to_string(cut) + "&times=1&cut=" + std::to_string(cut);
        served.check_whole(served.get(served.request(query)));
        served.forget();
        const std::string next = "?id=b" + std::to_string(cut) + "&times=1&cut=" + std::to_string(cut);
        check_refused(Status::io_error, {"cut", "stays"}, [&] { served.get(served.request(next), 1); });
        CHECK(std::filesystem::file_size(served.folder.path() / "partial") == uint64_t(cut));
        served.check_whole(served.get(served.request(next), 1));
        if (cut > 0) {
            const std::string range = "Range: bytes=" + std::to_string(cut) + "-";
            CHECK(served.server.log_of("id=b" + std::to_string(cut)).at(1).find(range) != std::string::npos);
        }
        served.forget();
    }
}

TEST_CASE("a server that cuts each answer is followed as long as it gets on") {
    const Served served;
    served.check_whole(served.get(served.request("?cut=40000&id=often"), 2));
    CHECK(served.server.log_of("id=often").size() >= 7);
}

TEST_CASE("a server that cuts each answer and knows no ranges is given up") {
    const Served served;
    check_refused(Status::io_error, {"cut", "tries"}, [&] { served.get(served.request("?cut=40000&norange=1")); });
}

TEST_CASE("what a part belongs to is asked by its tag, or by its date") {
    const Served served;
    const auto cut_once = [&](const std::string& query, bool with_hash) {
        served.check_whole(served.get(served.request("?cut=1000&times=1" + query, with_hash)));
        served.forget();
    };
    cut_once("&id=tag", false);
    CHECK(served.server.log_of("id=tag").at(1).find("If-Range: \"300000-0\"") != std::string::npos);
    cut_once("&id=weak&etag=weak", false);
    CHECK(served.server.log_of("id=weak").at(1).find("If-Range: Mon, 05 Oct 2026") != std::string::npos);
    cut_once("&id=neither&etag=none&modified=none", false);
    CHECK(served.server.log_of("id=neither").at(1).find("Range") == std::string::npos);
    cut_once("&id=hash&etag=none&modified=none", true);
    CHECK(served.server.log_of("id=hash").at(1).find("Range: bytes=1000-") != std::string::npos);
    CHECK(served.server.log_of("id=hash").at(1).find("If-Range") == std::string::npos);
}

TEST_CASE("a file that has changed begins anew") {
    const Served served;
    served.check_whole(served.get(served.request("?cut=1000&times=1&etag=changing&id=changed", false)));
    CHECK(served.server.log_of("id=changed").at(1).find("If-Range: \"300000-1\"") != std::string::npos);
}

TEST_CASE("a server that sends all for a range, another range, or says that none fits") {
    const Served served;
    for (const char* query :
         {"?cut=1000&times=1&norange=1", "?cut=1000&times=1&from=500", "?cut=1000&times=1&fits=0"}) {
        CAPTURE(query);
        served.check_whole(served.get(served.request(query)));
        served.forget();
    }
}

TEST_CASE("another part under the same name is dropped") {
    const Served served;
    check_refused(Status::io_error, {"cut"}, [&] { served.get(served.request("?cut=1000"), 1); });
    auto other = served.request("?id=other");
    other.url = served.server.url("/bytes/300000/2?id=other");
    other.sha256 = sha256_of(served.server.bytes(300'000, 2));
    CHECK(served.get(other).sha256 == other.sha256);
    CHECK(served.server.log_of("id=other").at(0).find("Range") == std::string::npos);
}

TEST_CASE("a part that is longer than the file, or without what it belongs to, begins anew") {
    const Served served;
    served.folder.write("partial", "what nobody knows");
    served.check_whole(served.get(served.request("?id=unknown")));
    served.folder.write("partial", std::string(400'000, 'x'));
    served.check_whole(served.get(served.request("?id=unknown")));
}

TEST_CASE("a part whose bytes were changed is found by the hash, removed, and comes anew") {
    const Served served;
    const auto request = served.request("?cut=1000&times=1&id=damaged");
    check_refused(Status::io_error, {"cut"}, [&] { served.get(request, 1); });
    std::fstream(served.folder.path() / "partial", std::ios::in | std::ios::out | std::ios::binary) << "damage";
    check_refused(Status::io_error, {"expected SHA-256", "removed"}, [&] { served.get(request); });
    CHECK_FALSE(std::filesystem::exists(served.folder.path() / "partial"));
    CHECK_FALSE(std::filesystem::exists(served.folder.path() / "partial.state"));
    served.check_whole(served.get(request));
}

TEST_CASE("stopped by the caller, and gone on with") {
    const Served served;
    const auto request = served.request("?slow=200000&id=stopped");
    int calls = 0;
    uint64_t seen = 0;
    const auto stop = [&](const download::Progress& progress) {
        seen = progress.done_bytes;
        CHECK(progress.total_bytes == 300'000);
        CHECK(progress.file == "partial");
        return ++calls < 5;
    };
    check_refused(Status::cancelled, {"stays"}, [&] { download::get_files({request}, soon_again(), 1, stop); });
    CHECK(std::filesystem::file_size(served.folder.path() / "partial") >= seen);
    CHECK(seen > 0);
    served.check_whole(served.get(request));
    CHECK(served.server.log_of("id=stopped").at(1).find("Range: bytes=") != std::string::npos);
}

TEST_CASE("files side by side, each with its own hash; git's, too") {
    const Served served;
    std::vector<download::FileRequest> requests;
    for (int seed = 1; seed <= 12; ++seed) {
        download::FileRequest request;
        request.url = served.server.url("/bytes/" + std::to_string(seed * 10'000) + "/" + std::to_string(seed) +
                                        (seed % 3 == 0 ? "?cut=5000" : ""));
        request.partial = served.folder.path() / "many" / std::to_string(seed);
        request.sha256 = sha256_of(served.server.bytes(seed * 10'000, seed));
        requests.push_back(request);
    }
    const auto results = download::get_files(requests, soon_again(), 4, {});
    REQUIRE(results.size() == requests.size());
    for (std::size_t i = 0; i < results.size(); ++i) CHECK(results[i].sha256 == requests[i].sha256);

    download::FileRequest blob;
    blob.url = served.server.url("/bytes/1000/7");
    blob.partial = served.folder.path() / "blob";
    blob.git_sha1 = "629d07ceb8543a7cc37cd599709fffb15d41ba40";  // as `git hash-object` has it
    CHECK(download::get_files({blob}, soon_again(), 1, {}).at(0).bytes == 1000);
    blob.url = served.server.url("/bytes/1000/7?wrong=1");
    check_refused(Status::io_error, {"expected git's hash 629d07ce", "it has"},
                  [&] { download::get_files({blob}, soon_again(), 1, {}); });
}

TEST_CASE("no more than ten calls a second") {
    const Served served;
    std::vector<std::chrono::steady_clock::time_point> calls;
    download::get_files({served.request("?slow=400000")}, soon_again(), 1, [&](const download::Progress& progress) {
        CHECK(progress.note.empty());
        calls.push_back(std::chrono::steady_clock::now());
        return true;
    });
    REQUIRE(calls.size() > 3);
    for (std::size_t i = 1; i + 1 < calls.size(); ++i) CHECK(calls[i] - calls[i - 1] >= std::chrono::milliseconds(99));
}

}  // namespace resume_test

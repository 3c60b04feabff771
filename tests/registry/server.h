// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "download/transfer.h"
#include "support/child.h"
#include "support/temp_dir.h"

namespace dragoman::test {

// A server on this machine whose pages the test writes; see serve_pages.py.
class Server {
public:
    Server() {
        write();
        REQUIRE(child_.shows(" ready"));
        const std::string& said = child_.output();
        const std::size_t at = said.find("port ") + 5;
        url_ = "http://127.0.0.1:" + said.substr(at, said.find(' ', at) - at);
    }

    const std::string& url() const { return url_; }

    void page(const std::string& path, const std::string& body, nlohmann::json headers = nlohmann::json::object(),
              int status = 200) {
        pages_[path] = {{"body", body}, {"headers", std::move(headers)}, {"status", status}};
        write();
    }

    // "/path token" of each request since the last call.
    std::vector<std::string> requests() const {
        std::vector<std::string> lines;
        std::ifstream in(folder_.path() / "requests");
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        in.close();
        std::filesystem::remove(folder_.path() / "requests");
        return lines;
    }

private:
    // Renamed, so that the server reads the old pages or the new ones.
    void write() const {
        folder_.write("new.json", pages_.dump());
        std::filesystem::rename(folder_.path() / "new.json", folder_.path() / "pages.json");
    }

    TempDir folder_;
    nlohmann::json pages_ = nlohmann::json::object();
    std::string url_;
#ifdef _WIN32  // finds programs by itself
    Child child_{{"python", DRAGOMAN_TEST_DATA "/../registry/serve_pages.py", text_of(folder_.path())}};
#else
    Child child_{
        {"/usr/bin/env", "python3", DRAGOMAN_TEST_DATA "/../registry/serve_pages.py", text_of(folder_.path())}};
#endif
};

// Fails at once, for tests of what then happens.
inline download::Settings one_try() {
    download::Settings settings;
    settings.attempts = 1;
    settings.first_wait_seconds = 0.01;
    settings.longest_wait_seconds = 0.01;
    settings.connect_seconds = 5;
    return settings;
}

}  // namespace dragoman::test

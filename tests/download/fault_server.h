// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "download/sha256.h"
#include "download/transfer.h"
#include "support/child.h"
#include "support/environment.h"
#include "support/temp_dir.h"

namespace dragoman::test {

// tests/download/server.py, which lives as long as this. A program's requests to it take no proxy.
class FaultServer {
public:
    // With the file of a certificate and its key it speaks https.
    explicit FaultServer(const std::string& folder = "", const std::string& certificate = "")
        : child_({DRAGOMAN_PYTHON, DRAGOMAN_FAULT_SERVER, folder, certificate}),
          scheme_(certificate.empty() ? "http://" : "https://") {
        for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"})
            set_environment(name, nullptr);
        if (!child_.shows("port "))
            throw std::runtime_error("the server of the tests does not start: " + child_.output());
        while (port_ == 0) {
            const std::string& text = child_.output();
            const std::size_t at = text.find("port ");
            if (text.find('\n', at) != text.npos) port_ = std::stoi(text.substr(at + 5));
            else if (!child_.running()) throw std::runtime_error("the server of the tests ended");
        }
    }

    std::string url(const std::string& path, const std::string& host = "127.0.0.1") const {
        return scheme_ + host + ":" + std::to_string(port_) + path;
    }

    // What was asked, a line each.
    std::vector<std::string> log() const { return lines_of(download::get_text({.url = url("/_log")}, {}).body); }
    // The requests with this text in their line.
    std::vector<std::string> log_of(const std::string& part) const {
        std::vector<std::string> lines = log();
        std::erase_if(lines, [&](const std::string& line) { return line.find(part) == line.npos; });
        return lines;
    }
    std::string bytes(int size, int seed = 1) const {
        return download::get_text({.url = url("/bytes/" + std::to_string(size) + "/" + std::to_string(seed))}, {}).body;
    }

private:
    static std::vector<std::string> lines_of(const std::string& text) {
        std::vector<std::string> lines;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            lines.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
        return lines;
    }

    Child child_;
    const std::string scheme_;
    int port_ = 0;
};

inline std::string sha256_of(const std::string& text) {
    download::Sha256 sum;
    sum.add(std::as_bytes(std::span(text)));
    return sum.hex();
}

// What fails is asked for again soon.
inline download::Settings soon_again() {
    return {.attempts = 4,
            .first_wait_seconds = 0.01,
            .longest_wait_seconds = 1,
            .connect_seconds = 10,
            .stall_seconds = 20};
}

}  // namespace dragoman::test

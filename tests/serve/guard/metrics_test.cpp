// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "serve/watch/exposition.h"
#include "serve/watch/metrics.h"

namespace metrics_test {
using namespace serve::watch;
using namespace std::chrono_literals;

// Samples by name and labels; fails on what the format does not have.
std::map<std::string, double> read(const std::string& text) {
    std::map<std::string, double> samples;
    std::set<std::string> types;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        if (line.starts_with("# TYPE ")) CHECK(types.insert(line.substr(7, line.find(' ', 7) - 7)).second);
        if (line.starts_with("#")) continue;
        const std::size_t blank = line.rfind(' ');
        REQUIRE(blank != std::string::npos);
        CHECK(samples.emplace(line.substr(0, blank), std::stod(line.substr(blank + 1))).second);
    }
    CHECK(text.ends_with('\n'));
    return samples;
}

TEST_CASE("requests under LibreTranslate's names, and in a histogram") {
    Metrics metrics;
    metrics.finished("/translate", "POST", 200, 20ms, 100);
    metrics.finished("/translate", "POST", 200, 40ms, 50);
    metrics.finished("/translate", "POST", 429, 1ms, 10);
    metrics.finished("/v2/document/{id}", "GET", 200, 2min, 7);
    metrics.finished("/translate", "EVIL\"\n", 405, 1ms, 0);
    auto samples = read(metrics.text());
    const std::string name = "libretranslate_http_request_duration_seconds";
    CHECK(samples[name + "_count{endpoint=\"/translate\",method=\"POST\",status=\"200\"}"] == 2);
    CHECK(samples[name + "_sum{endpoint=\"/translate\",method=\"POST\",status=\"200\"}"] == doctest::Approx(0.06));
    CHECK(samples[name + "_count{endpoint=\"/translate\",method=\"POST\",status=\"429\"}"] == 1);
    CHECK(samples[name + "_count{endpoint=\"/translate\",method=\"other\",status=\"405\"}"] == 1);
    const std::string own = "dragoman_http_request_duration_seconds";
    CHECK(samples[own + "_bucket{endpoint=\"/translate\",le=\"0.005\"}"] == 2);
    CHECK(samples[own + "_bucket{endpoint=\"/translate\",le=\"0.025\"}"] == 3);
    CHECK(samples[own + "_bucket{endpoint=\"/translate\",le=\"0.05\"}"] == 4);
    CHECK(samples[own + "_bucket{endpoint=\"/translate\",le=\"+Inf\"}"] == 4);
    CHECK(samples[own + "_count{endpoint=\"/translate\"}"] == 4);
    CHECK(samples[own + "_bucket{endpoint=\"/v2/document/{id}\",le=\"60\"}"] == 0);
    CHECK(samples[own + "_bucket{endpoint=\"/v2/document/{id}\",le=\"+Inf\"}"] == 1);
    CHECK(samples[own + "_sum{endpoint=\"/v2/document/{id}\"}"] == 120);
    CHECK(samples["dragoman_http_sent_bytes_total{endpoint=\"/translate\"}"] == 160);
    CHECK(metrics.text().find("# TYPE " + name + " summary\n") != std::string::npos);
    CHECK(metrics.text().find("# TYPE " + own + " histogram\n") != std::string::npos);
    CHECK(metrics.text().find("EVIL") == std::string::npos);
}

TEST_CASE("values by callbacks") {
    Metrics metrics;
    double value = 1;
    metrics.add("dragoman_things_total", "counter", "Things that \\ were\ndone", [&] { return value; });
    metrics.add("dragoman_broken", "gauge", "Broken", []() -> double { throw std::runtime_error("no"); });
    metrics.add_all("dragoman_model_bytes", "gauge", "Bytes", [] {
        return std::vector<Sample>{{{{"model", "a\"b\\c\nd"}, {"state", "loaded"}}, 5e12},
                                   {{{"model", "\xc3\xa4"}}, 0.5}};
    });
    metrics.add_all("dragoman_none", "gauge", "None", []() -> std::vector<Sample> { throw std::runtime_error("no"); });
    value = 2;
    const std::string text = metrics.text();
    CHECK(text.find("# HELP dragoman_things_total Things that \\\\ were\\ndone\n# TYPE dragoman_things_total counter\n"
                    "dragoman_things_total 2\n") != std::string::npos);
    CHECK(text.find("dragoman_broken NaN\n") != std::string::npos);
    CHECK(text.find("dragoman_model_bytes{model=\"a\\\"b\\\\c\\nd\",state=\"loaded\"} 5000000000000\n") !=
          std::string::npos);
    CHECK(text.find("dragoman_model_bytes{model=\"\xc3\xa4\"} 0.5\n") != std::string::npos);
    CHECK(text.find("# TYPE dragoman_none gauge\n") != std::string::npos);
    CHECK_THROWS_AS(metrics.add("dragoman_things_total", "gauge", "", [] { return 0.0; }), std::invalid_argument);
    CHECK_THROWS_AS(metrics.add("dragoman_http_request_duration_seconds", "gauge", "", [] { return 0.0; }),
                    std::invalid_argument);
    CHECK_THROWS_AS(metrics.add("1st", "gauge", "", [] { return 0.0; }), std::invalid_argument);
    CHECK_THROWS_AS(metrics.add("a-b", "gauge", "", [] { return 0.0; }), std::invalid_argument);
    CHECK_THROWS_AS(metrics.add("a", "summary", "", [] { return 0.0; }), std::invalid_argument);
}

TEST_CASE("a callback may finish a request, and threads may write while others read") {
    Metrics metrics;
    metrics.add("dragoman_again", "gauge", "Again", [&] {
        metrics.finished("/inner", "GET", 200, 1ms, 1);
        return 1.0;
    });
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) {
                metrics.finished("/translate", "POST", 200, 1ms, 1);
                if (i % 500 == 0) metrics.text();
            }
        });
    for (std::thread& thread : threads) thread.join();
    auto samples = read(metrics.text());
    CHECK(samples["dragoman_http_request_duration_seconds_count{endpoint=\"/translate\"}"] == 8000);
}

}  // namespace metrics_test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "fixture.h"
#include "support/run_program.h"
#include "support/system.h"

namespace doctor_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

struct Seen {
    int exit_code;
    json report;
    json operator[](const std::string& name) const {
        for (const json& finding : report["findings"])
            if (finding["name"] == name) return finding;
        return {};
    }
};

Seen doctor(const std::string& environment = "", std::vector<std::string> more = {"--model", kModel}) {
    std::vector<std::string> arguments = {"doctor", "--json", "--text", kSourceA};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Run found = run(DRAGOMAN_CLI, arguments, "", environment);
    CAPTURE(found.err);
    CAPTURE(found.out);
    REQUIRE(json::accept(found.out));
    return {found.exit_code, json::parse(found.out)};
}

void check_wrong(const Seen& seen, const char* name, const char* text, const char* hint) {
    const json finding = seen[name];
    CAPTURE(seen.report.dump(2));
    REQUIRE(finding.is_object());
    CHECK(finding["verdict"] == "wrong");
    CHECK(finding["text"].get<std::string>().find(text) != std::string::npos);
    CHECK(finding.value("hint", std::string()).find(hint) != std::string::npos);
}

}  // namespace

TEST_CASE("doctor translates and says what it found") {
    const Seen seen = doctor("HOME=/nowhere");  // it writes ~ for the user's folder, in which the model may lie
    CAPTURE(seen.report.dump(2));
    CHECK(seen.exit_code == 0);
    CHECK(seen.report["works"] == true);
    CHECK(seen.report["version"] == dragoman_version_string());
    CHECK(seen["translation"]["target"] == "a t z m o n");
    CHECK(seen["translation"]["first_seconds"].get<double>() > 0);
    CHECK(seen["translation"]["second_seconds"].get<double>() > 0);
    CHECK(seen["model"]["from"] == "--model");
    CHECK(seen["model"]["path"] == kModel);
    CHECK(seen["cache"]["writable"] == true);
    CHECK(seen["kernels"]["wrong"].empty());
    CHECK(seen["device"]["device"]["name"].is_string());
    for (const char* name : {"system", "dragoman", "loader", "in use", "memory", "environment"})
        CHECK_MESSAGE(seen[name].is_object(), name);

    CHECK(doctor("XDG_CONFIG_HOME=/nonexistent")["config"]["exists"] == false);

    const Run text = run(DRAGOMAN_CLI, {"doctor", "--model", kModel, "--text", kSourceA});
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("\nok     translation") != std::string::npos);
    CHECK(text.out.find("became \"a t z m o n\"") != std::string::npos);
    CHECK(text.out.ends_with("\nA translation works.\n"));
}

TEST_CASE("doctor shows no path of the user's folder") {
    const TempDir home;
    const std::string path = home.path().string();
    const Run found = run(DRAGOMAN_CLI,
                          {"doctor", "--json", "--model", kModel, "--text", kSourceA, "--cache-dir", path + "/kept"},
                          "", "HOME='" + path + "' DRAGOMAN_CACHE_DIR='" + path + "/other'");
    CAPTURE(found.out);
    CHECK(found.exit_code == 0);
    CHECK(found.out.find("~/kept") != std::string::npos);
    CHECK(found.out.find("~/other") != std::string::npos);
    CHECK(found.out.find(path) == std::string::npos);
    CHECK(fs::exists(home.path() / "kept"));
}

TEST_CASE("doctor reads the user's defaults as translate does" * only_posix()) {
    const TempDir home;
    fs::create_directories(home.path() / "dragoman");
    const std::string variables = "XDG_CONFIG_HOME='" + home.path().string() + "' HOME=/nowhere";
    const auto with = [&](const std::string& config, const std::vector<std::string>& more = {}) {
        home.write("dragoman/config.toml", config);
        return doctor(variables, more);
    };
    const std::string model = std::string("model = \"") + kModel + "\"\n";
    const Seen unknown = with(model + "beem = 3\n");
    CHECK(unknown.exit_code == 1);
    CHECK(unknown.report["works"] == false);
    check_wrong(unknown, "config", "line 2: beem: expected an option", "translate");
    check_wrong(with(model + "route = [\"x\"]\n"), "config", "", "translate");
    CHECK(with(model + "beem = 3\n", {"--no-config", "--model", kModel}).exit_code == 0);

    const Seen right = with(model);
    CHECK(right.exit_code == 0);
    CHECK(right["model"]["from"] == "config.toml");
    CHECK(right["model"]["path"] == kModel);
    CHECK(right["config"]["verdict"] == "ok");

    const Seen no_model = with("model = \"/no/such\"\n");
    CHECK(no_model.exit_code == 1);
    check_wrong(no_model, "model", "/no/such", "config.toml");
    CHECK(with("model = \"/no/such\"\n", {"--model", kModel}).exit_code == 0);
    const Seen no_device = with(model + "device = \"no such device\"\n");
    CHECK(no_device.exit_code == 1);
    check_wrong(no_device, "in use", "no such device", "config.toml");
}

TEST_CASE("doctor says what is wrong, and what helps" * not_on_wine()) {
    const Seen no_model = doctor("DRAGOMAN_MODEL=/nowhere/model", {});
    CHECK(no_model.exit_code == 1);
    CHECK(no_model.report["works"] == false);
    check_wrong(no_model, "model", "/nowhere/model", "DRAGOMAN_MODEL");
    CHECK(no_model["translation"].is_null());
    CHECK(no_model["environment"]["variables"]["DRAGOMAN_MODEL"] == "/nowhere/model");

    const Seen no_loader = doctor("DRAGOMAN_VULKAN_LOADER=/nowhere/loader.so");
    CHECK(no_loader.exit_code == 1);
    check_wrong(no_loader, "loader", "/nowhere/loader.so", "DRAGOMAN_VULKAN_LOADER");
    CHECK(no_loader["device"].is_null());
    CHECK(no_loader["model"]["verdict"] == "ok");

    const Seen no_driver = doctor("VK_ICD_FILENAMES=/nowhere.json VK_DRIVER_FILES=/nowhere.json");
    CHECK(no_driver.exit_code == 1);
    check_wrong(no_driver, "devices", "no driver", "");

    const Seen no_device = doctor("", {"--model", kModel, "--device", "no such device"});
    CHECK(no_device.exit_code == 1);
    check_wrong(no_device, "in use", "no such device", "--device");

    const TempDir folder;
    const std::string file = folder.write("file", "");
    const Seen no_folder = doctor("", {"--model", kModel, "--cache-dir", file});
    CHECK(no_folder.exit_code == 0);  // it only takes longer
    check_wrong(no_folder, "cache", "cannot be written", "DRAGOMAN_CACHE_DIR");

    const Seen no_cache = doctor("", {"--model", kModel, "--cache-dir", "-"});
    CHECK(no_cache.exit_code == 0);
    CHECK(no_cache["cache"]["verdict"] == "note");
}

TEST_CASE("doctor names the kernels that a driver computes wrongly") {
    const TempDir cache;
    const std::string broken = "DRAGOMAN_VULKAN_LOADER='" DRAGOMAN_BROKEN_DRIVER
                               "' DRAGOMAN_BROKEN_KERNELS='matmul_texel=product' "
                               "DRAGOMAN_CACHE_DIR='" +
                               cache.path().string() + "'";
    for (int time = 0; time < 2; ++time) {  // when it is checked, and when that is remembered
        const Seen seen = doctor(broken);
        CAPTURE(seen.report.dump(2));
        CHECK(seen.exit_code == 0);
        CHECK(seen["translation"]["target"] == "a t z m o n");
        CHECK(seen["kernels"]["verdict"] == "note");
        REQUIRE(!seen["kernels"]["wrong"].empty());
        CHECK(seen["kernels"]["wrong"][0].get<std::string>().starts_with("kernel matmul_texel"));
        CHECK((seen["kernels"]["checked_now"].get<int>() > 0) == (time == 0));
    }
}

TEST_CASE("doctor knows all variables that the library reads") {
    const std::string known = read_file(DRAGOMAN_SOURCE "/tools/cli/system_facts.cpp");
    const std::regex reading("environment(_flag)?\\(\"(DRAGOMAN_[A-Z_]+)\"\\)");
    std::set<std::string> names;
    for (const char* folder : {"/lib", "/capi"})
        for (const auto& entry : fs::recursive_directory_iterator(DRAGOMAN_SOURCE + std::string(folder))) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
            const std::string text = read_file(entry.path());
            for (std::sregex_iterator at(text.begin(), text.end(), reading), end; at != end; ++at)
                names.insert((*at)[2]);
        }
    CHECK(names.size() >= 8);
    for (const std::string& name : names) CHECK_MESSAGE(known.find('"' + name + '"') != std::string::npos, name);
}

}  // namespace doctor_test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>
#include <sstream>
#include <string>

#include "native_messaging/frames.h"
#include "native_messaging/request.h"

namespace native_frames_test {
using namespace native_messaging;

std::string frame(std::uint32_t length, const std::string& text) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &length, 4);
    return bytes + text;
}

TEST_CASE("Messages go in and out as they are") {
    std::stringstream pipe;
    write_frame(pipe, R"({"id":1})");
    write_frame(pipe, R"({"id":"ä"})");
    CHECK(read_frame(pipe)->text == R"({"id":1})");
    CHECK(read_frame(pipe)->text == R"({"id":"ä"})");
    CHECK_FALSE(read_frame(pipe));
}

TEST_CASE("Broken input is named") {
    const auto read = [](const std::string& bytes) {
        std::istringstream in(bytes);
        return read_frame(in);
    };
    CHECK_THROWS_AS(read("abc"), BrokenFrame);
    CHECK_THROWS_AS(read(frame(10, "{}")), BrokenFrame);
    CHECK_THROWS_AS(read(frame(kMostBytes + 1, "{}")), BrokenFrame);
    CHECK_THROWS_AS(read(frame(0xffffffff, "")), BrokenFrame);
    CHECK(read(frame(0, ""))->problem == "a message of 0 bytes is no JSON object");
    CHECK(read(frame(2, "{}"))->problem.empty());
}

TEST_CASE("Requests") {
    const Request request = read_request(
        R"({"id": 7, "command": "Translate", "data": {"text": "Hund", "src": "de", "trg": "en", "html": true}})");
    CHECK(request.id == 7);
    const auto& asked = std::get<Translate>(request.command);
    CHECK(asked.text == "Hund");
    CHECK(asked.from == "de");
    CHECK(asked.to == "en");
    CHECK(asked.html);
    CHECK_FALSE(asked.quality);
    const Request cut =
        read_request(R"({"id": 11, "command": "Translate", "data": {"text": "a\ud800b", "src": "de", "trg": "en"}})");
    CHECK(cut.id == 11);
    CHECK(std::get<Translate>(cut.command).text ==
          "a\xef\xbf\xbd"
          "b");
    CHECK(std::get<ListModels>(
              read_request(R"({"id": 1, "command": "ListModels", "data": {"includeRemote": true}})").command)
              .include_remote);
    CHECK(std::get<DownloadModel>(
              read_request(R"({"id": 1, "command": "DownloadModel", "data": {"modelID": "a:b"}})").command)
              .model == "a:b");
}

TEST_CASE("What is no request says which one it was") {
    struct Wrong {
        std::string text;
        Json id;
        std::string why;
    };
    const std::string deep(1000, '[');
    for (const Wrong& wrong :
         {Wrong{"{", -1, "the message is no JSON"}, Wrong{"[]", -1, "the message is array, an object is expected"},
          Wrong{"{}", -1, "id is missing"}, Wrong{R"({"id": 1.5})", -1, "id is missing"},
          Wrong{R"({"id": 1})", 1, "command is missing"},
          Wrong{R"({"id": 1, "command": "Translate"})", 1, "data is missing"},
          Wrong{R"({"id": 1, "command": "Sing", "data": {}})", 1,
                "command is \"Sing\", Translate, ListModels or DownloadModel is expected"},
          Wrong{R"({"id": 1, "command": "Translate", "data": {}})", 1, "data.text is missing"},
          Wrong{R"({"id": 1, "command": "Translate", "data": {"text": 3}})", 1,
                "data.text is number, a string is expected"},
          Wrong{R"({"id": "x", "command": "Translate", "data": {"text": "", "src": "de"}})", "x",
                "data has neither src and trg nor model"},
          Wrong{R"({"id": 1, "command": "Translate", "data": {"text": "", "model": "m", "html": 1}})", 1,
                "data.html is number, true or false is expected"},
          Wrong{deep, -1, "the message nests too deep"}, Wrong{"\"\xff\"", -1, "the message is no JSON"}}) {
        CAPTURE(wrong.text);
        try {
            read_request(wrong.text);
            FAIL("it was taken");
        } catch (const BadRequest& bad) {
            CHECK(bad.id == wrong.id);
            CHECK(bad.what() == wrong.why);
        }
    }
}

}  // namespace native_frames_test

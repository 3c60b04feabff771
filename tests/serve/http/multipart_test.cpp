// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "serve/http/form.h"
#include "serve/http/multipart.h"
#include "serve/problem.h"
#include "temp_dir.h"

namespace multipart_test {

using namespace dragoman;
using namespace serve;
using namespace serve::http;

constexpr std::uint64_t kRoom = 1 << 20;

std::size_t files_in(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
}

struct Form {
    test::TempDir folder;
    Request request;
    Form(const std::string& body, const std::string& type = "multipart/form-data; boundary=b") {
        request.headers.push_back({"Content-Type", type});
        request.body = body;
    }
    Multipart read(std::uint64_t room = kRoom) { return read_multipart(request, folder.path(), room); }
    // The problem's words; it leaves no file behind.
    std::string problem(Problem::Kind kind = Problem::Kind::bad_request, std::uint64_t room = kRoom) {
        try {
            read(room);
        } catch (const Problem& problem) {
            CHECK(problem.kind == kind);
            CHECK(files_in(folder.path()) == 0);
            return problem.what();
        }
        return "was read";
    }
};

std::string field(const std::string& name, const std::string& value) {
    return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}

TEST_CASE("fields and files") {
    Form form(
        field("q", "two\r\nlines") + field("q", "") +
        "--b\r\ncontent-disposition: form-data; name=file; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" +
        "x\r\n--a\r\n" + "\r\n" + field("r", "\r\n") + "--b--\r\nwhatever");
    Multipart read = form.read();
    CHECK(read.fields == FormFields{{"q", "two\r\nlines"}, {"q", ""}, {"r", "\r\n"}});
    REQUIRE(read.uploads.size() == 1);
    const Upload& upload = read.uploads[0];
    CHECK(upload.field == "file");
    CHECK(upload.name == "a.txt");
    CHECK(upload.content_type == "text/plain");
    CHECK(upload.bytes == 8);
    CHECK(test::read_file(upload.path) == "x\r\n--a\r\n");
    CHECK(upload.path.parent_path() == form.folder.path());
    Multipart moved = std::move(read);
    CHECK(files_in(form.folder.path()) == 1);
    moved = Multipart();
    CHECK(files_in(form.folder.path()) == 0);
}

TEST_CASE("a body that was streamed to a file, in pieces that cut boundaries anywhere") {
    std::string content;
    for (int i = 0; content.size() < 300'000; ++i) content += "\r\n--" + std::to_string(i) + "\r\n--bo\r";
    const std::string body =
        "preamble\r\n--bound ary\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n" + content +
        "\r\n--bound ary--";
    Form form("", "Multipart/Form-Data; charset=utf-8; boundary=\"bound ary\"");
    form.request.body_file = form.folder.write("body", body);
    const Multipart read = form.read();
    REQUIRE(read.uploads.size() == 1);
    CHECK(read.uploads[0].bytes == content.size());
    CHECK(test::read_file(read.uploads[0].path) == content);
    for (std::size_t step : {1, 2, 3, 7, 4096}) {
        std::string data;
        MultipartReader reader("bound ary",
                               {[](const auto&) {}, [&](std::string_view bytes) { data += bytes; }, [] {}});
        for (std::size_t at = 0; at < body.size(); at += step) reader.feed(std::string_view(body).substr(at, step));
        reader.finish();
        CHECK(data == content);
    }
}

TEST_CASE("names as clients write them") {
    const auto name_of = [](const std::string& parameters) {
        Form form("--b\r\nContent-Disposition: form-data; name=\"f\"; " + parameters + "\r\n\r\nx\r\n--b--\r\n");
        const Multipart read = form.read();
        REQUIRE(read.uploads.size() == 1);
        CHECK(read.uploads[0].path.parent_path() == form.folder.path());
        return read.uploads[0].name;
    };
    CHECK(name_of("filename=\"a b.txt\"") == "a b.txt");
    CHECK(name_of("filename=plain.txt") == "plain.txt");
    CHECK(name_of("filename=\"a\\\"b.txt\"") == "a\"b.txt");
    CHECK(name_of("filename=\"a%22b.txt\"") == "a\"b.txt");
    CHECK(name_of("filename=\"C:\\files\\new.txt\"") == "C:\\files\\new.txt");
    CHECK(name_of("filename=\"C:\\files\\\"") == "C:\\files\\");
    CHECK(name_of("filename=\"x.txt\"; filename*=UTF-8''na%C3%AFve%20x.txt") == "na\xc3\xafve x.txt");
    CHECK(name_of("filename*=utf-8'en'%e2%82%ac.txt; filename=x.txt") == "\xe2\x82\xac.txt");
    CHECK(name_of("filename=\"x.txt\"; filename*=latin1''%fc") == "x.txt");
    CHECK(name_of("filename=\"\xc3\xbc;=.txt\"") == "\xc3\xbc;=.txt");
    CHECK(name_of("filename=\"../../etc/passwd\"") == "../../etc/passwd");
    CHECK(name_of("filename=\"100%.txt\"") == "100%.txt");
}

TEST_CASE("broken bodies") {
    CHECK(Form("").problem() == "the multipart body is broken: it has no boundary \"--b\"");
    CHECK(Form(field("q", "x")).problem() == "the multipart body is broken: it ends without \"--b--\"");
    CHECK(Form(field("q", "x") + "--b-").problem() == "the multipart body is broken: it ends without \"--b--\"");
    CHECK(Form(field("q", "x") + "--bc\r\n").problem() == "the multipart body is broken: \"c\" follows a boundary");
    CHECK(Form("--b\r\n\r\nx\r\n--b--").problem() == "the multipart body is broken: part 1 has no Content-Disposition");
    CHECK(Form("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--").problem() ==
          "the multipart body is broken: a part has no name");
    CHECK(Form("--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--").problem().find("no form-data") !=
          std::string::npos);
    CHECK(Form("--b\r\nnonsense\r\n\r\nx\r\n--b--").problem().find("\"nonsense\"") != std::string::npos);
    CHECK(Form("--b\nContent-Disposition: form-data; name=a\n\nx\n--b--").problem().find("LF without CR") !=
          std::string::npos);
    CHECK(Form("--b\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--")
              .problem()
              .find("base64") != std::string::npos);
    CHECK(
        Form("--b\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\nhalf").problem().find("ends without") !=
        std::string::npos);
    CHECK(Form("x", "multipart/form-data").problem() == "Content-Type has no boundary");
    CHECK(Form("x", "multipart/form-data; boundary=").problem().find("boundary is \"\"") != std::string::npos);
    CHECK(Form("x", "text/plain").problem(Problem::Kind::unsupported_type).find("\"text/plain\"") != std::string::npos);
}

TEST_CASE("limits") {
    std::string parts;
    for (int i = 0; i < 1000; ++i) parts += field("a", "");
    CHECK(Form(parts + "--b--").read().fields.size() == 1000);
    CHECK(Form(parts + field("a", "") + "--b--").problem().find("more than 1000 parts") != std::string::npos);
    const std::string text(1000, 'x');
    CHECK(Form(field("q", text) + "--b--").read(1001).fields[0].second == text);
    CHECK(Form(field("q", text) + "--b--").problem(Problem::Kind::too_large, 1000).find("1000 bytes") !=
          std::string::npos);
    // What goes to a file is not bounded here, its name is.
    const std::string start = "--b\r\nContent-Disposition: form-data; name=f; filename=";
    CHECK(Form(start + "a\r\n\r\n" + text + "\r\n--b--").read(10).uploads[0].bytes == 1000);
    CHECK(Form(start + text + "\r\n\r\nx\r\n--b--").problem(Problem::Kind::too_large, 10) ==
          "the fields have more than 10 bytes");
    CHECK(Form("--b\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n").problem().find("bytes of headers") !=
          std::string::npos);
    CHECK(Form(std::string(70'000, 'a')).problem().find("more than 65536 bytes") != std::string::npos);
    CHECK(Form("x", "multipart/form-data; boundary=" + std::string(201, 'a')).problem().find("boundary") !=
          std::string::npos);
}

}  // namespace multipart_test

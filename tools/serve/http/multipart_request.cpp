// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include "base/os/path_text.h"
#include "serve/ascii.h"
#include "serve/http/characters.h"
#include "serve/http/form.h"
#include "serve/http/multipart.h"
#include "serve/http/parameters.h"
#include "serve/problem.h"

namespace serve::http {
namespace {

struct CloseUpload {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using UploadFile = std::unique_ptr<std::FILE, CloseUpload>;

[[noreturn]] void upload_failed(const char* what, const std::string& name) {
    throw std::runtime_error(fmt::format("cannot {} {}: {}", what, name, std::strerror(errno)));
}

// UTF-8''na%C3%AFve.txt of RFC 8187; nothing for other character sets, which nobody sends.
std::optional<std::string> extended_value(const std::string& text) {
    const std::size_t first = text.find('\'');
    const std::size_t second = first == std::string::npos ? first : text.find('\'', first + 1);
    if (second == std::string::npos || !same_in_any_case(text.substr(0, first), "utf-8")) return std::nullopt;
    return percent_decoded(text.substr(second + 1), false);
}

// Browsers write quotes and line ends of names as escapes, and nothing else.
std::string unescaped_name(std::string name) {
    for (const auto& [escape, c] : {std::pair{"%22", '"'}, std::pair{"%0D", '\r'}, std::pair{"%0A", '\n'}})
        for (std::size_t at = name.find(escape); at != std::string::npos; at = name.find(escape, at + 1))
            name.replace(at, 3, 1, c);
    return name;
}

class FormReader {
public:
    FormReader(const std::filesystem::path& folder, std::uint64_t max_field_bytes)
        : folder_(folder), max_field_bytes_(max_field_bytes) {}

    void begin(const MultipartReader::Part& part) {
        if (!same_in_any_case(without_blanks(part.disposition.substr(0, part.disposition.find(';'))), "form-data"))
            wrong_part(fmt::format("\"{}\" is no form-data", shown(part.disposition)));
        const std::optional<std::string> field = parameter(part.disposition, "name");
        if (!field) wrong_part("a part has no name");
        name_ = unescaped_name(*field);
        std::optional<std::string> file_name = parameter(part.disposition, "filename*");
        if (file_name) file_name = extended_value(*file_name);
        if (!file_name)
            if (const auto plain = parameter(part.disposition, "filename")) file_name = unescaped_name(*plain);
        count(name_.size());
        value_.clear();
        if (!file_name) return;
        count(file_name->size());
        open_file(std::move(*file_name), part.content_type);
    }

    void data(std::string_view bytes) {
        if (!file_) {
            count(bytes.size());
            value_ += bytes;
            return;
        }
        Upload& upload = form.uploads.back();
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
            upload_failed("write", dragoman::text_of(upload.path));
        upload.bytes += bytes.size();
    }

    void end() {
        if (!file_) {
            form.fields.emplace_back(std::move(name_), std::move(value_));
            return;
        }
        if (std::fclose(file_.release()) != 0) upload_failed("write", dragoman::text_of(form.uploads.back().path));
    }

    Multipart form;

private:
    [[noreturn]] static void wrong_part(const std::string& what) {
        throw Problem(Problem::Kind::bad_request, "the multipart body is broken: " + what);
    }

    void count(std::size_t bytes) {
        field_bytes_ += bytes;
        if (field_bytes_ > max_field_bytes_)
            throw Problem(Problem::Kind::too_large,
                          fmt::format("the fields have more than {} bytes", max_field_bytes_));
    }

    void open_file(std::string file_name, const std::string& content_type) {
        static const unsigned start = std::random_device{}();  // no file of an earlier run is met
        static std::atomic<std::uint64_t> number{0};
        Upload upload;
        upload.field = std::move(name_);
        upload.name = std::move(file_name);
        upload.content_type = content_type;
        upload.path = folder_ / fmt::format("upload-{:08x}-{}", start, ++number);  // never the client's name
        const std::string path = dragoman::text_of(upload.path);
        file_.reset(std::fopen(path.c_str(), "wbx"));
        if (!file_) upload_failed("make", path);
        form.uploads.push_back(std::move(upload));
    }

    std::filesystem::path folder_;
    std::uint64_t max_field_bytes_, field_bytes_ = 0;
    std::string name_, value_;
    UploadFile file_;
};

void read_body_of(const Request& request, MultipartReader& reader) {
    static constexpr std::size_t kPiece = 64 * 1024;
    if (request.body_file.empty()) {
        for (std::size_t at = 0; at < request.body.size(); at += kPiece)
            reader.feed(std::string_view(request.body).substr(at, kPiece));
        return;
    }
    const std::string name = dragoman::text_of(request.body_file);
    const UploadFile file(std::fopen(name.c_str(), "rb"));
    if (!file) upload_failed("read", name);
    std::array<char, kPiece> bytes;
    std::size_t count = 0;
    while ((count = std::fread(bytes.data(), 1, bytes.size(), file.get())) != 0) reader.feed({bytes.data(), count});
    if (std::ferror(file.get())) upload_failed("read", name);
}

}  // namespace

Multipart read_multipart(const Request& request, const std::filesystem::path& folder, std::uint64_t max_field_bytes) {
    if (request.content_type() != "multipart/form-data")
        throw Problem(Problem::Kind::unsupported_type,
                      fmt::format("the body is \"{}\", not multipart/form-data", shown(request.content_type())));
    const std::optional<std::string> boundary = parameter(request.header("Content-Type"), "boundary");
    if (!boundary) throw Problem(Problem::Kind::bad_request, "Content-Type has no boundary");
    FormReader form(folder, max_field_bytes);
    MultipartReader reader(*boundary, {[&](const MultipartReader::Part& part) { form.begin(part); },
                                       [&](std::string_view bytes) { form.data(bytes); }, [&] { form.end(); }});
    read_body_of(request, reader);
    reader.finish();
    return std::move(form.form);
}

}  // namespace serve::http

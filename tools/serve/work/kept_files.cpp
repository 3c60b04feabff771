// SPDX-License-Identifier: Apache-2.0
#include "serve/work/kept_files.h"

#include <dragoman/dragoman.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <stdexcept>

#include "base/os/durable.h"
#include "base/os/file.h"
#include "base/os/path_text.h"
#include "serve/problem.h"

namespace serve::work {
namespace {

std::string digits_of(std::span<const unsigned char> bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

[[noreturn]] void cannot_write(const std::error_code& error) {
    throw Problem(Problem::Kind::failed, "the service cannot write a file: " + error.message());
}

}  // namespace

std::string random_id() {
    std::array<unsigned char, 16> bytes;
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
        throw std::runtime_error("there are no random numbers");
    return digits_of(bytes);
}

std::string random_uuid() {
    std::string id = random_id();
    for (const std::size_t at : {20, 16, 12, 8}) id.insert(at, "-");
    return id;
}

bool is_id(std::string_view text) {
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    std::string plain(text);
    if (text.size() == 36)
        for (const std::size_t at : {23, 18, 13, 8}) {
            if (plain[at] != '-') return false;
            plain.erase(at, 1);
        }
    return plain.size() == 32 && std::ranges::all_of(plain, is_digit);
}

void write_whole(const std::filesystem::path& file, std::string_view bytes) {
    const std::filesystem::path folder = file.parent_path();
    dragoman::os::HiddenFile fresh;
    std::error_code error = fresh.create(file);
    if (!error) error = fresh.write(std::as_bytes(std::span(bytes)));
    if (!error) error = fresh.publish(true);
    if (!error) error = dragoman::os::sync_folder(folder);
    if (error) cannot_write(error);
}

std::string read_whole(const std::filesystem::path& file, std::uint64_t most) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes;
    std::array<char, 65536> part;
    while (in.read(part.data(), part.size()), in.gcount() > 0) {
        bytes.append(part.data(), static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > most)
            throw std::runtime_error(dragoman::text_of(file) + ": has more than " + std::to_string(most) + " bytes");
    }
    if (!in.eof()) throw std::runtime_error(dragoman::text_of(file) + ": cannot be read");
    return bytes;
}

std::string set_aside(const std::filesystem::path& file, const std::string& why) {
    std::filesystem::path aside = file;
    aside += ".broken";
    std::error_code error;
    std::filesystem::rename(file, aside, error);
    return dragoman::text_of(file) + " is broken and set aside as " + dragoman::text_of(aside.filename()) + ": " + why +
           (error ? " (" + error.message() + ")" : "");
}

std::int64_t seconds_of(std::chrono::system_clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::chrono::system_clock::time_point time_of(std::int64_t seconds) {
    return std::chrono::system_clock::time_point(std::chrono::seconds(seconds));
}

std::string sha256_of(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum;
    unsigned int size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), sum.data(), &size, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not there");
    return digits_of(std::span(sum).first(size));
}

void check_utf8(std::string_view text, const std::string& thing) {
    const std::size_t whole = dragoman_utf8_prefix(text.data(), text.size());
    if (whole < text.size())
        throw Problem(Problem::Kind::bad_request, thing + ": invalid UTF-8 at byte " + std::to_string(whole), thing);
}

}  // namespace serve::work

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <archive.h>
#include <archive_entry.h>

#include "download/fault_server.h"
#include "download/space.h"
#include "download/unpack.h"
#include "support/refused.h"
#include "support/zip_file.h"

namespace unpack_test {
using namespace dragoman;
using namespace dragoman::test;

struct Member {
    std::string name, content;
    unsigned type = AE_IFREG;
    std::string link, hard_link;
};

enum class Filter { none, gzip, zstd, xz, bzip2 };

// An archive as libarchive writes it.
std::string tar(const std::vector<Member>& members, Filter filter = Filter::none) {
    archive* const out = archive_write_new();
    archive_write_set_format_gnutar(out);
    if (filter == Filter::gzip) archive_write_add_filter_gzip(out);
    if (filter == Filter::zstd) archive_write_add_filter_zstd(out);
    if (filter == Filter::xz) archive_write_add_filter_xz(out);
    if (filter == Filter::bzip2) archive_write_add_filter_bzip2(out);
    std::size_t most = 1 << 16;
    for (const Member& member : members) most += member.name.size() * 4 + member.content.size() + (1 << 13);
    std::string bytes(most, '\0');
    std::size_t used = 0;
    archive_write_open_memory(out, bytes.data(), bytes.size(), &used);
    for (const Member& member : members) {
        archive_entry* const entry = archive_entry_new();
        archive_entry_set_pathname(entry, member.name.c_str());
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_filetype(entry, member.type);
        archive_entry_set_size(entry, static_cast<la_int64_t>(member.content.size()));
        if (!member.link.empty()) archive_entry_set_symlink(entry, member.link.c_str());
        if (!member.hard_link.empty()) archive_entry_set_hardlink(entry, member.hard_link.c_str());
        if (archive_write_header(out, entry) != ARCHIVE_OK) throw std::runtime_error(archive_error_string(out));
        archive_write_data(out, member.content.data(), member.content.size());
        archive_entry_free(entry);
    }
    archive_write_close(out);
    archive_write_free(out);
    bytes.resize(used);
    return bytes;
}

std::string zstd(const std::string& content) {
    archive* const out = archive_write_new();
    archive_write_set_format_raw(out);
    archive_write_add_filter_zstd(out);
    std::string bytes(content.size() + 4096, '\0');
    std::size_t used = 0;
    archive_write_open_memory(out, bytes.data(), bytes.size(), &used);
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(out, entry);
    archive_write_data(out, content.data(), content.size());
    archive_entry_free(entry);
    archive_write_close(out);
    archive_write_free(out);
    bytes.resize(used);
    return bytes;
}

std::string some_bytes(std::size_t count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::string bytes(count, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    return bytes;
}

struct Room {
    TempDir folder;

    std::vector<download::Unpacked> unpack(const std::string& bytes, const download::UnpackLimits& limits = {},
                                           const std::function<bool()>& go_on = {}) const {
        std::filesystem::remove_all(folder.path() / "out");
        return download::unpack_archive(folder.write("archive", bytes), folder.path() / "out", limits, go_on);
    }

    download::Unpacked unpack_one(const std::string& bytes, const download::UnpackLimits& limits = {}) const {
        std::filesystem::remove_all(folder.path() / "file");
        return download::unpack_file(folder.write("packed", bytes), folder.path() / "file", limits, {});
    }

    void refused(const std::string& bytes, std::initializer_list<const char*> parts,
                 const download::UnpackLimits& limits = {}) const {
        check_refused(Status::bad_model, parts, [&] { unpack(bytes, limits); });
        CHECK(names_outside().empty());
    }

    // Whatever an archive says, nothing appears beside its folder.
    std::vector<std::string> names_outside() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            const std::string name = entry.path().filename().string();
            if (name != "archive" && name != "out" && name != "packed" && name != "file") names.push_back(name);
        }
        return names;
    }
};

TEST_CASE("archives of every kind, without the folder that all is in") {
    const Room room;
    const std::string large = some_bytes(1'000'000);
    const std::vector<Member> members = {{"root/", "", AE_IFDIR},
                                         {"root/config.yml", "a: 1\n"},
                                         {"./root/sub/model.bin", large},
                                         {"root/root/\xC3\xA4.txt", ""}};
    const auto check = [&](const std::vector<download::Unpacked>& files) {
        REQUIRE(files.size() == 3);
        CHECK(files[0].name == "config.yml");
        CHECK(files[1].name == "sub/model.bin");
        CHECK(files[1].bytes == large.size());
        CHECK(files[1].sha256 == sha256_of(large));
        CHECK(files[2].name == "root/\xC3\xA4.txt");
        for (const auto& file : files) {
            const std::string content = read_file(room.folder.path() / "out" / file.name);
            CHECK(content.size() == file.bytes);
            CHECK(sha256_of(content) == file.sha256);
        }
        CHECK_FALSE(std::filesystem::exists(room.folder.path() / "out" / ".only-folder"));
    };
    for (const Filter filter : {Filter::none, Filter::gzip, Filter::zstd, Filter::xz, Filter::bzip2})
        check(room.unpack(tar(members, filter)));
    check(room.unpack(ZipFile()
                          .add("root/config.yml", "a: 1\n", true)
                          .add("root/sub/model.bin", large, true)
                          .add("root/root/\xC3\xA4.txt", "", false, {.flags = 0x800})
                          .bytes()));
}

TEST_CASE("archives without one folder stay as they are") {
    const Room room;
    const auto files = room.unpack(tar({{"root/a", "1"}, {"b", "2"}}));
    REQUIRE(files.size() == 2);
    CHECK(files[0].name == "root/a");
    CHECK(read_file(room.folder.path() / "out" / "root/a") == "1");
    CHECK(room.unpack(tar({{"alone", "1"}})).at(0).name == "alone");
}

TEST_CASE("names that lead elsewhere") {
    const Room room;
    for (const char* name : {"../out-of-it", "a/../../out-of-it", "a/..", ".."}) {
        CAPTURE(name);
        room.refused(tar({{"first", "1"}, {name, "2"}}), {"archive: the member \"", name, "leads out"});
        room.refused(ZipFile().add("first", "1").add(name, "2").bytes(), {"leads out"});
    }
    const std::string absolute = room.folder.path() / "absolute";
    room.refused(tar({{absolute, "2"}}), {"has an absolute name"});
    room.refused(ZipFile().add(absolute, "2").bytes(), {"has an absolute name"});
    room.refused(tar({{"C:\\windows", "2"}}), {"not valid on every system"});
    room.refused(tar({{"a:stream", "2"}}), {"not valid on every system"});
    room.refused(tar({{"a\nb", "2"}}), {"a?b", "not valid on every system"});
    room.refused(tar({{std::string(1100, 'x'), "2"}}), {"more than 1024 bytes"});
}

TEST_CASE("links and devices") {
    const Room room;
    room.refused(tar({{"a", "", AE_IFLNK, "/etc/passwd"}}), {"\"a\" is a link"});
    room.refused(tar({{"a", "", AE_IFLNK, "b"}}), {"\"a\" is a link"});
    room.refused(tar({{"b", "1"}, {"a", "", AE_IFREG, "", "b"}}), {"\"a\" is a link"});
    room.refused(tar({{"a", "", AE_IFIFO}}), {"\"a\" is a device, pipe"});
    room.refused(tar({{"a", "", AE_IFCHR}}), {"\"a\" is a device"});
    // A folder by a link, and a file in it.
    room.refused(tar({{"a", "", AE_IFLNK, ".."}, {"a/b", "1"}}), {"is a link"});
}

TEST_CASE("names that repeat, in any case") {
    const Room room;
    room.refused(tar({{"a/b", "1"}, {"a/b", "2"}}), {"\"a/b\" is there twice"});
    room.refused(tar({{"a/b", "1"}, {"a/./B", "2"}}), {"\"a/B\" is there twice"});
    room.refused(ZipFile().add("x", "1").add("X", "2").bytes(), {"\"X\" is there twice"});
    check_refused(Status::io_error, {"cannot make the folder"}, [&] { room.unpack(tar({{"a", "1"}, {"a/b", "2"}})); });
}

TEST_CASE("bombs by size, by count and by ratio") {
    const Room room;
    const std::string zeros(1'000'000, '\0');
    room.refused(tar({{"a", zeros}, {"b", zeros}}, Filter::gzip), {"at most 1999999 bytes", "\"b\" alone says 1000000"},
                 {.bytes = 1'999'999});
    CHECK(room.unpack(tar({{"a", zeros}, {"b", zeros}}, Filter::gzip), {.bytes = 2'000'000}).size() == 2);
    room.refused(tar({{"a", ""}, {"b", ""}, {"c/", "", AE_IFDIR}}), {"more than 2 members"}, {.files = 2});
    // A size that the archive does not state.
    check_refused(Status::bad_model, {"at most 999999 bytes, it unpacks to more"},
                  [&] { room.unpack_one(gzipped(zeros), {.bytes = 999'999}); });
    const std::string many_zeros(100 << 20, '\0');
    check_refused(Status::bad_model, {"at most 200 bytes from each packed one"},
                  [&] { room.unpack_one(gzipped(many_zeros)); });
    check_refused(Status::bad_model, {"at most 200 bytes from each packed one"},
                  [&] { room.unpack_one(zstd(many_zeros)); });
    CHECK_FALSE(std::filesystem::exists(room.folder.path() / "file"));
    CHECK(room.unpack_one(gzipped(std::string(60 << 20, '\0'))).bytes == 60u << 20);
}

TEST_CASE("what is cut off or broken") {
    const Room room;
    const std::vector<Member> members = {{"a", some_bytes(50'000)}, {"b", some_bytes(50'000, 2)}};
    for (const Filter filter : {Filter::none, Filter::gzip, Filter::zstd, Filter::xz, Filter::bzip2}) {
        const std::string whole = tar(members, filter);
        CAPTURE(int(filter));
        const std::size_t end = filter == Filter::none ? 2 * (512 + 50'176) : whole.size();  // behind it are zeros
        for (const std::size_t cut : {std::size_t(0), std::size_t(1), std::size_t(511), end / 2, end - 1000, end - 1}) {
            CAPTURE(cut);
            room.refused(whole.substr(0, cut), {"archive"});
        }
    }
    // Right behind a member.
    room.refused(tar(members).substr(0, 512 + 50'176), {"cut off"});
    std::string damaged = tar(members, Filter::gzip);
    damaged[damaged.size() / 2] ^= 1;
    room.refused(damaged, {"gzip data is broken"});
    damaged = ZipFile().add("a", some_bytes(1000), true, {.crc_off_by = 1}).bytes();
    room.refused(damaged, {"archive"});
    const std::string zip = ZipFile().add("a", some_bytes(10'000), true).add("b", "x").bytes();
    for (const std::size_t cut : {std::size_t(100), zip.size() / 2, zip.size() - 60})
        check_refused(Status::bad_model, {"archive"}, [&] { room.unpack(zip.substr(0, cut)); });
    room.refused("this is no archive at all, only a text of some length", {"no archive of a known kind"});
    room.refused(tar({}), {"has no files"});
}

TEST_CASE("one packed file") {
    const Room room;
    const std::string content = some_bytes(700'000) + std::string(100'000, 'x');
    for (const std::string& packed :
         {gzipped(content), zstd(content), gzipped(content.substr(0, 5)) + gzipped(content.substr(5))}) {
        const auto file = room.unpack_one(packed);
        CHECK(file.name == "file");
        CHECK(file.bytes == content.size());
        CHECK(file.sha256 == sha256_of(content));
        CHECK(read_file(room.folder.path() / "file") == content);
        for (const std::size_t cut : {packed.size() - 1, packed.size() - 8, packed.size() / 2, std::size_t(3)}) {
            CAPTURE(cut);
            check_refused(Status::bad_model, {"packed"}, [&] { room.unpack_one(packed.substr(0, cut)); });
            CHECK_FALSE(std::filesystem::exists(room.folder.path() / "file"));
        }
    }
    std::string damaged = gzipped(content);
    damaged[damaged.size() - 6] ^= 1;  // of the checksum
    check_refused(Status::bad_model, {"gzip data is broken"}, [&] { room.unpack_one(damaged); });
    check_refused(Status::bad_model, {"expected a .gz or .zst file"}, [&] { room.unpack_one(content); });
    check_refused(Status::bad_model, {"packed"}, [&] { room.unpack_one(""); });
}

TEST_CASE("stopped by the caller") {
    const Room room;
    int calls = 0;
    check_refused(Status::cancelled, {"stopped"},
                  [&] { room.unpack(tar({{"a", some_bytes(3'000'000)}}), {}, [&] { return ++calls < 3; }); });
    CHECK(calls == 3);
}

TEST_CASE("space is asked for where the folder will be") {
    const TempDir folder;
    download::need_space(folder.path() / "not" / "there", 1);
    check_refused(Status::io_error, {"needs 1000000000000000000 bytes", "are free"},
                  [&] { download::need_space(folder.path() / "not" / "there", 1'000'000'000'000'000'000); });
}

}  // namespace unpack_test

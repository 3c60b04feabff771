// SPDX-License-Identifier: Apache-2.0
#include "files/file_set.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "files/file_map.h"
#include "files/zip_archive.h"
#include "support/system.h"
#include "temp_dir.h"
#include "zip_file.h"

namespace file_set_test {

using namespace dragoman;
using test::gzipped;
using test::TempDir;
using test::ZipFile;
namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

template <class F>
void check_fails(Status status, std::string_view part, F&& action) {
    try {
        action();
    } catch (const Error& error) {
        CAPTURE(std::string(error.what()));
        CHECK(error.status() == status);
        CHECK(std::string_view(error.what()).find(part) != std::string_view::npos);
        return;
    }
    FAIL("nothing was thrown, expected: " << part);
}

std::string repetitive() {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(i % 17) + "\n";
    return text;
}

// One block of Zstandard, stored as it is.
std::string zstd_frame(std::string_view text) {
    const auto size = uint32_t(text.size());
    const uint32_t block = size << 3 | 1;  // the last one, raw
    std::string frame("\x28\xb5\x2f\xfd\x20", 5);
    frame += char(size);
    for (int shift = 0; shift < 24; shift += 8) frame += char(block >> shift & 0xff);
    return frame + std::string(text);
}

// A member of a tar archive, in whole blocks.
std::string tar_entry(std::string_view name, std::string_view content, char kind = '0') {
    std::string header(512, '\0');
    header.replace(0, name.size(), name);
    char size[12];
    std::snprintf(size, sizeof size, "%011o", unsigned(content.size()));
    header.replace(124, 11, size);
    header[156] = kind;
    header.replace(257, 5, "ustar");
    header.replace(263, 2, "00");
    std::string body(content);
    body.resize((body.size() + 511) / 512 * 512, '\0');
    return header + body;
}

}  // namespace

TEST_CASE("a name in other letters is told") {
    const test::TempDir folder;
    folder.write("Vocab.JSON", "{}");
    const auto files = FileSet::open(folder.path());
    CHECK_FALSE(files->has("vocab.json"));
    CHECK(files->in_other_letters("vocab.json") == "Vocab.JSON");
    CHECK(files->in_other_letters("Vocab.JSON").empty());
    try {
        files->read("vocab.json");
        FAIL("a file was read");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find("no such file, but Vocab.JSON is there") != std::string::npos);
    }
}

TEST_CASE("a directory offers its files, not its folders") {
    const TempDir folder;
    folder.write("b.txt", "bee");
    folder.write("a.bin", std::string("a\0z", 3));
    fs::create_directory(folder.path() / "sub");
    folder.write("sub/c", "inner");
    const auto files = FileSet::open(folder.path());
    CHECK(files->names() == Names{"a.bin", "b.txt"});
    CHECK(files->chosen().empty());
    CHECK(files->has("b.txt"));
    CHECK_FALSE(files->has("sub"));
    CHECK_FALSE(files->has("sub/c"));
    CHECK(files->read("a.bin").text() == std::string_view("a\0z", 3));
    CHECK(files->read("b.txt").name == (folder.path() / "b.txt").string());
    CHECK(files->bytes_on_disk() == 3 + 3);
    REQUIRE(files->folder("sub"));
    CHECK(files->folder("sub")->read("c").text() == "inner");
    CHECK(files->folder("other") == nullptr);
    CHECK(files->folder("b.txt") == nullptr);
    const std::string beside = folder.path().filename().string(), whole = folder.path() / "sub";
    REQUIRE(fs::is_directory(folder.path() / "sub/../.." / beside));
    for (const std::string& out : {std::string(".."), "../" + beside, "sub/../../" + beside, whole, std::string()})
        CHECK_MESSAGE(files->folder(out) == nullptr, out);
    CHECK(files->folder("sub/../sub"));
}

TEST_CASE("a link is the file that it leads to" * dragoman::test::only_posix()) {
    const TempDir folder;
    folder.write("b.txt", "bee");
    fs::create_symlink("nowhere", folder.path() / "dangling");
    fs::create_symlink("b.txt", folder.path() / "link");
    const auto files = FileSet::open(folder.path());
    CHECK(files->names() == Names{"b.txt", "link"});
    CHECK(files->read("link").text() == "bee");
    CHECK(files->bytes_on_disk() == 3 + 3);
}

TEST_CASE("a single file stands beside its neighbours") {
    const TempDir folder;
    folder.write("model.bin", "weights");
    folder.write("vocab.txt", "tokens");
    const auto files = FileSet::open(folder.path() / "model.bin");
    CHECK(files->chosen() == "model.bin");
    CHECK(files->path() == folder.path() / "model.bin");
    CHECK(files->read("model.bin").text() == "weights");
    CHECK(files->read("vocab.txt").text() == "tokens");
    CHECK(files->label("vocab.txt") == (folder.path() / "vocab.txt").string());
}

TEST_CASE("what is not listed cannot be read") {
    const TempDir folder;
    folder.write("outside", "secret");
    fs::create_directory(folder.path() / "model");
    const auto files = FileSet::open(folder.path() / "model");
    check_fails(Status::io_error, "no such file", [&] { files->read("../outside"); });
    check_fails(Status::io_error, "no such file", [&] { files->read((folder.path() / "outside").string()); });
    check_fails(Status::io_error, "none: no such file or directory", [&] { FileSet::open(folder.path() / "none"); });
}

TEST_CASE("a file that is only there as .gz is unpacked") {
    const TempDir folder;
    const std::string text = repetitive();
    folder.write("vocab.yml.gz", gzipped(text));
    folder.write("both", "plain");
    folder.write("both.gz", gzipped("packed"));
    folder.write("two.gz", gzipped("one ") + gzipped("two"));
    folder.write("empty.gz", gzipped(""));
    const auto files = FileSet::open(folder.path());
    CHECK(files->names() == Names{"both", "empty", "two", "vocab.yml"});
    CHECK(files->read("vocab.yml").text() == text);
    CHECK(files->read("vocab.yml").name == (folder.path() / "vocab.yml").string());
    CHECK(files->read("both").text() == "plain");
    CHECK(files->read("two").text() == "one two");
    CHECK(files->read("empty").empty());
    CHECK(FileSet::open(folder.path() / "vocab.yml.gz")->chosen() == "vocab.yml");
    CHECK(FileSet::open(folder.path() / "both.gz")->chosen() == "both");
}

TEST_CASE("broken gzip data is named") {
    const TempDir folder;
    const std::string good = gzipped(repetitive());
    const auto check = [&](const std::string& bytes, std::string_view part) {
        folder.write("x.gz", bytes);
        check_fails(Status::bad_model, part, [&] { FileSet::open(folder.path())->read("x"); });
    };
    check("not gzip at all", "x.gz: broken gzip data");
    check("", "x.gz: gzip data is cut off after 0 bytes");
    for (const std::size_t size : {std::size_t(5), good.size() / 2, good.size() - 1})
        check(good.substr(0, size), "cut off");
    check(good + "rest", "x.gz: broken gzip data");
    std::string wrong = good;
    wrong[good.size() - 8] ^= 1;  // the checksum
    check(wrong, "x.gz: broken gzip data");
}

TEST_CASE("a file that is only there as .zst is unpacked") {
    const TempDir folder;
    folder.write("model.bin.zst", zstd_frame("one ") + zstd_frame("two"));
    folder.write("both", "plain");
    folder.write("both.zst", zstd_frame("packed"));
    folder.write("cut.zst", zstd_frame("text").substr(0, 8));
    folder.write("other.zst", "no such format");
    const auto files = FileSet::open(folder.path());
    CHECK(files->names() == Names{"both", "cut", "model.bin", "other"});
    CHECK(files->read("both").text() == "plain");
    CHECK(FileSet::open(folder.path() / "model.bin.zst")->chosen() == "model.bin");
    try {
        CHECK(files->read("model.bin").text() == "one two");
        check_fails(Status::bad_model, "cut.zst: Zstandard data is cut off", [&] { files->read("cut"); });
        check_fails(Status::bad_model, "other.zst: broken Zstandard data", [&] { files->read("other"); });
    } catch (const Error& error) {
        CHECK(error.status() == Status::unsupported);  // built without zstd
    }
}

TEST_CASE("a tar archive offers its files") {
    const TempDir folder;
    const std::string text = repetitive(), long_name = "top/" + std::string(120, 'n');
    const std::string archive =
        tar_entry("./top/", "", '5') + tar_entry("./top/model.bin", text) + tar_entry("././@LongLink", long_name, 'L') +
        tar_entry("cut off", "long") + tar_entry("PaxHeaders/x", "26 path=top/pax named.txt\n", 'x') +
        tar_entry("cut off", "pax") + tar_entry("top/link", "", '2') + tar_entry("top/sub/inner", "deep") +
        tar_entry("top/lex.gz", gzipped("unpacked")) + std::string(1024, '\0');
    for (const bool packed : {false, true}) {
        const auto files = FileSet::open(packed ? folder.write("a.tar.gz", gzipped(archive))
                                                : folder.write("a.tar", archive));
        CHECK(files->names() == Names{"lex", "model.bin", std::string(120, 'n'), "pax named.txt", "sub/inner"});
        CHECK(files->read("model.bin").text() == text);
        CHECK(files->read(std::string(120, 'n')).text() == "long");
        CHECK(files->read("pax named.txt").text() == "pax");
        CHECK(files->read("lex").text() == "unpacked");
        CHECK(files->folder("sub")->read("inner").text() == "deep");
        CHECK_FALSE(files->folder("none"));
        CHECK(files->chosen().empty());
    }
    const auto refused = [&](const std::string& bytes, std::string_view part) {
        check_fails(Status::bad_model, part, [&] { FileSet::open(folder.write("b.tar", bytes)); });
    };
    refused("", "expected files in the archive");
    refused(std::string(1024, 'x'), "byte 0: expected a header");
    refused(archive.substr(0, 512 * 3), "byte 1024: expected");
    refused(tar_entry("../outside", "text") + std::string(1024, '\0'), "expected files in the archive");
}

TEST_CASE("what a server sends in place of a file is told from the file") {
    const test::TempDir folder;
    folder.write("model.safetensors", "<!DOCTYPE html>\n<html><body>Log in</body></html>");
    folder.write("config.json", "\n<HTML><head></head></HTML>");
    folder.write("source.spm", "Entry not found");
    folder.write("vocab.json", R"({"error":"Access to this repository is restricted"})");
    folder.write("good.json", R"({"errors": 0, "<html>": 1})");
    folder.write("README.md", "<html>a card</html>");
    const auto files = FileSet::open(folder.path());
    for (const char* name : {"model.safetensors", "config.json"})
        check_fails(Status::bad_model, std::string(name) + ": is a page of the web (HTML)", [&] { files->read(name); });
    for (const char* name : {"source.spm", "vocab.json"})
        check_fails(Status::bad_model, std::string(name) + ": is a server's answer", [&] { files->read(name); });
    CHECK(files->read("good.json").bytes.size() > 0);
    CHECK(files->read("README.md").bytes.size() > 0);
}

TEST_CASE("what came in place of a packed file is told") {
    const TempDir folder;
    const std::string page = "<!DOCTYPE html>\n<html></html>\n";
    folder.write("model.bin.gz", page);
    folder.write("vocab.spm.zst", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n");
    folder.write("text.md.gz", gzipped(page));
    const auto files = FileSet::open(folder.path());
    check_fails(Status::bad_model, "model.bin.gz: is a page of the web (HTML)", [&] { files->read("model.bin"); });
    check_fails(Status::bad_model, "vocab.spm.zst: is a Git LFS pointer", [&] { files->read("vocab.spm"); });
    CHECK(files->read("text.md").text() == page);
}

TEST_CASE("a pointer of Git LFS is told from the file") {
    const TempDir folder;
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
    folder.write("model.bin", pointer);
    folder.write("other.bin", "weights");
    const auto files = FileSet::open(folder.path());
    CHECK(files->is_lfs_pointer("model.bin"));
    CHECK_FALSE(files->is_lfs_pointer("other.bin"));
    CHECK_FALSE(files->is_lfs_pointer("none"));
    check_fails(Status::bad_model, "model.bin: is a Git LFS pointer", [&] { files->read("model.bin"); });
}

TEST_CASE("a zip archive offers its files, whatever its suffix") {
    const TempDir folder;
    const std::string text = repetitive();
    const auto path = folder.write("model.argosmodel", ZipFile()
                                                           .add("top/", "")
                                                           .add("top/stored.bin", std::string("a\0z", 3))
                                                           .add("top/packed.txt", text, true)
                                                           .add("top/empty", "")
                                                           .add("top/sub/inner", "deep", true)
                                                           .add("top/lex.gz", gzipped("unpacked"))
                                                           .add("__MACOSX/top/._x", "junk")
                                                           .bytes());
    const auto files = FileSet::open(path);
    CHECK(files->names() == Names{"empty", "lex", "packed.txt", "stored.bin", "sub/inner"});
    CHECK(files->chosen().empty());
    CHECK(files->read("stored.bin").text() == std::string_view("a\0z", 3));
    CHECK(files->read("packed.txt").text() == text);
    CHECK(files->read("packed.txt").name == path.string() + ": top/packed.txt");
    CHECK(files->read("empty").empty());
    CHECK(files->read("lex").text() == "unpacked");
    CHECK(files->read("sub/inner").text() == "deep");
    CHECK(files->bytes_on_disk() == fs::file_size(path));
    const auto sub = files->folder("sub");
    REQUIRE(sub);
    CHECK(sub->names() == Names{"inner"});
    CHECK(sub->read("inner").text() == "deep");
    CHECK(sub->label("inner") == path.string() + ": top/sub/inner");
    CHECK(files->folder("su") == nullptr);
    check_fails(Status::io_error, "model.argosmodel: top/none: no such file", [&] { files->read("none"); });
}

TEST_CASE("bytes outlive the set they came from, and threads share a set") {
    const TempDir folder;
    const std::string text = repetitive();
    folder.write("x.zip", ZipFile().add("a", text, true).add("b", "other").bytes());
    auto files = FileSet::open(folder.path() / "x.zip");
    std::vector<std::thread> threads;
    std::vector<int> good(4);
    for (int& count : good)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) count += files->read(i % 2 ? "a" : "b").text() == (i % 2 ? text : "other");
        });
    for (auto& thread : threads) thread.join();
    CHECK(good == std::vector<int>(4, 20));
    const FileBytes kept = files->read("a");
    files.reset();
    fs::remove(folder.path() / "x.zip");
    CHECK(kept.text() == text);
}

TEST_CASE("numpy's and PyTorch's zip files are single files") {
    const TempDir folder;
    folder.write("model.npz", ZipFile().add("a.npy", "1").add("b.npy", "2").bytes());
    folder.write("pytorch_model.bin", ZipFile().add("archive/data.pkl", "1").add("archive/data/0", "2").bytes());
    CHECK(FileSet::open(folder.path() / "model.npz")->chosen() == "model.npz");
    CHECK(FileSet::open(folder.path() / "pytorch_model.bin")->chosen() == "pytorch_model.bin");
}

TEST_CASE("what an archive stores is a view of it, what it packs is not") {
    const TempDir folder;
    const std::string text = repetitive();
    const auto path = folder.write("x.zip", ZipFile().add("a", text).add("b", text, true).bytes());
    const ZipArchive archive(read_whole(path));
    const FileBytes stored = archive.read("a"), packed = archive.read("b"), again = archive.read("a");
    CHECK(stored.text() == text);
    CHECK(packed.text() == text);
    CHECK(stored.bytes.data() == again.bytes.data());
    CHECK(stored.owner == again.owner);
    CHECK(packed.owner != stored.owner);
}

TEST_CASE("what is wrong with a zip archive is said") {
    const TempDir folder;
    const std::string text = repetitive();
    const auto check = [&](Status status, std::string_view part, const std::string& bytes) {
        const auto path = folder.write("x.zip", bytes);
        check_fails(status, part, [&] { FileSet::open(path)->read("a"); });
    };
    const auto one = [&](bool pack, ZipFile::Lies lies) { return ZipFile().add("a", text, pack, lies).bytes(); };
    for (const bool pack : {false, true}) {
        check(Status::bad_model, "x.zip: a: CRC", one(pack, {.crc_off_by = 1}));
        check(Status::unsupported, "x.zip: a: encrypted", one(pack, {.flags = 1}));
        check(Status::unsupported, "x.zip: a: expected a member that is stored or deflated",
              one(pack, {.method_off_by = 1}));
        check(Status::bad_model, "x.zip: a: ", one(pack, {.size_off_by = -1}));
        check(Status::bad_model, "x.zip: a: ", one(pack, {.size_off_by = 1}));
        // 4 GiB promised by a file of some kilobytes
        check(Status::bad_model, "are impossible", one(pack, {.size_off_by = 0xfffffffe - int64_t(text.size())}));
    }
    const std::string good = one(true, {});
    check(Status::bad_model, "x.zip: broken zip archive", good.substr(0, good.size() - 1));
    check(Status::bad_model, "x.zip: broken zip archive", good.substr(0, 40));
    check(Status::bad_model, "x.zip: a: expected once, archive has it twice",
          ZipFile().add("a", "1").add("a", "2").bytes());
    std::string damaged = good;
    damaged[60] ^= 0x55;  // inside the deflated data
    check(Status::bad_model, "x.zip: a: ", damaged);
}

namespace {

GivenFile in_memory(std::string name, std::string_view content) {
    return {std::move(name), content.size(), std::as_bytes(std::span(content)), {}};
}

}  // namespace

TEST_CASE("files in memory are a folder") {
    const std::string packed = gzipped("{}");
    const auto files =
        FileSet::given({in_memory("b.txt", "bee"), in_memory("a.bin", std::string_view("a\0z", 3)),
                        in_memory("sub/c", "inner"), in_memory("packed.json.gz", packed), in_memory("empty", "")});
    CHECK(files->names() == Names{"a.bin", "b.txt", "empty", "packed.json", "sub/c"});
    CHECK(files->chosen().empty());
    CHECK(files->path() == "memory");
    CHECK(files->folder_path() == "memory");
    CHECK(files->read("a.bin").text() == std::string_view("a\0z", 3));
    CHECK(files->read("empty").empty());
    CHECK(files->read("b.txt").name == "b.txt");
    CHECK(files->bytes_on_disk() == 3 + 3 + 5 + packed.size());
    const auto sub = files->folder("sub");
    REQUIRE(sub != nullptr);
    CHECK(sub->names() == Names{"c"});
    CHECK(sub->read("c").text() == "inner");
    CHECK(files->folder("no") == nullptr);
    check_fails(Status::io_error, "nothing: no such file", [&] { files->read("nothing"); });
}

TEST_CASE("a single file in memory is chosen, or an archive") {
    const auto one = FileSet::given({in_memory("model.npz", "content")});
    CHECK(one->chosen() == "model.npz");
    CHECK(one->path() == "memory/model.npz");
    CHECK(one->folder_path() == "memory");
    CHECK(one->read("model.npz").text() == "content");

    const std::string archive = ZipFile().add("opus/a", "first").add("opus/b", "second").bytes();
    const auto inside = FileSet::given({in_memory("x.zip", archive)});
    CHECK(inside->names() == Names{"a", "b"});
    CHECK(inside->read("b").text() == "second");
    const std::string numpy = ZipFile().add("w.npy", "tensor").bytes();
    CHECK(FileSet::given({in_memory("x.npz", numpy)})->chosen() == "x.npz");
    CHECK(FileSet::given({in_memory("x.zip", archive), in_memory("y", "")})->names() == Names{"x.zip", "y"});
}

TEST_CASE("a folder around all files in memory is left out") {
    const auto files = FileSet::given({in_memory("opus/a", "1"), in_memory("opus/sub/b", "2")});
    CHECK(files->names() == Names{"a", "sub/b"});
    CHECK(files->folder("sub")->read("b").text() == "2");
}

TEST_CASE("files by function are read once, when wanted, in pieces") {
    std::string content(size_t(40) << 20, 'x');
    for (std::size_t i = 0; i < content.size(); i += 4096) content[i] = char(i >> 12);
    int calls = 0, others = 0;
    uint64_t next = 0;
    GivenFile file{"big", content.size(), {}, [&](uint64_t offset, std::span<std::byte> target) {
                       CHECK(offset == next);
                       CHECK(target.size() <= (size_t(16) << 20));
                       next = offset + target.size();
                       ++calls;
                       std::copy_n(std::as_bytes(std::span(content)).begin() + std::ptrdiff_t(offset), target.size(),
                                   target.begin());
                   }};
    GivenFile other{"other", 1, {}, [&](uint64_t, std::span<std::byte>) { ++others; }};
    FileBytes kept;
    {
        const auto files = FileSet::given({file, other});
        CHECK(calls == 0);
        CHECK(files->read("big").text() == content);
        kept = files->read("big");
    }
    CHECK(calls == 3);
    CHECK(others == 0);
    CHECK(kept.text() == content);
}

TEST_CASE("given files that cannot be") {
    check_fails(Status::invalid_argument, "none", [] { FileSet::given({}); });
    check_fails(Status::invalid_argument, "two named a",
                [] { FileSet::given({in_memory("a", "1"), in_memory("a", "2")}); });
    check_fails(Status::invalid_argument, "name is empty", [] { FileSet::given({in_memory("", "1")}); });
    const auto failing = [](uint64_t offset, std::span<std::byte>) {
        fail(Status::io_error, "disk: broken at {}", offset);
    };
    const auto files = FileSet::given({{"disk", 10, {}, failing}, in_memory("other", "")});
    check_fails(Status::io_error, "disk: broken at 0", [&] { files->read("disk"); });
    const auto vast = FileSet::given({{"vast", uint64_t(1) << 60, {}, failing}, in_memory("other", "")});
    check_fails(Status::bad_model, "vast: expected at most", [&] { vast->read("vast"); });
}

}  // namespace file_set_test

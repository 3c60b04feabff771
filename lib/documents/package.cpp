// SPDX-License-Identifier: Apache-2.0
#include "documents/package.h"

#include <zip.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/error.h"

namespace dragoman::documents {
namespace {

constexpr std::size_t kSmall = 1 << 20;  // members up to this size may have any compression ratio

[[noreturn]] void refuse(std::string_view what, zip_error_t* error) {
    const std::string text = zip_error_strerror(error);
    zip_error_fini(error);
    fail(Status::invalid_argument, "{}: expected a zip archive, got a broken one ({})", what, text);
}

zip_source_t* source_of(std::string_view bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), /*freep=*/0, &error);
    if (!source) refuse("document", &error);
    return source;
}

// libzip frees a buffer that it was told to keep when it writes it with unchanged members, so it gets a copy of its
// own.
zip_source_t* source_to_write(std::string_view bytes) {
    zip_error_t error;
    zip_error_init(&error);
    void* copy = std::malloc(std::max<std::size_t>(bytes.size(), 1));
    if (!copy) throw std::bad_alloc();
    std::memcpy(copy, bytes.data(), bytes.size());
    zip_source_t* source = zip_source_buffer_create(copy, bytes.size(), /*freep=*/1, &error);
    if (source) return source;
    std::free(copy);
    refuse("document", &error);
}

zip_t* open(zip_source_t* source, int flags) {
    zip_error_t error;
    zip_error_init(&error);
    zip_t* archive = zip_open_from_source(source, flags, &error);
    if (archive) return archive;
    zip_source_free(source);
    refuse("document", &error);
}

std::string content(zip_source_t* source) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_source_open(source) != 0 || zip_source_stat(source, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE))
        refuse("document", zip_source_error(source));
    std::string bytes(stat.size, '\0');
    const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (count != zip_int64_t(bytes.size())) refuse("document", zip_source_error(source));
    return bytes;
}

}  // namespace

struct Package::Library {
    std::string_view bytes;
    zip_t* archive = nullptr;
    ~Library() {
        if (archive) zip_discard(archive);
    }
};

Package::Package(std::string_view bytes) : library_(std::make_unique<Library>()) {
    library_->bytes = bytes;
    library_->archive = open(source_of(bytes), ZIP_RDONLY);
    const auto count = std::size_t(std::max<zip_int64_t>(0, zip_get_num_entries(library_->archive, 0)));
    if (count > kMaxMembers)
        fail(Status::invalid_argument, "document: expected at most {} members, the package has {}", kMaxMembers, count);
    std::size_t unpacked = 0;
    for (std::size_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        if (zip_stat_index(library_->archive, i, ZIP_FL_ENC_GUESS, &stat) != 0)
            fail(Status::invalid_argument, "document: member {}: {}", i, zip_strerror(library_->archive));
        if (stat.encryption_method != ZIP_EM_NONE)
            fail(Status::unsupported, "{}: expected a member that can be read, got one with a password", stat.name);
        if (stat.size > kMaxUnpacked || (unpacked += stat.size) > kMaxUnpacked)
            fail(Status::invalid_argument, "{}: expected at most {} bytes unpacked, the package has {} up to here",
                 stat.name, kMaxUnpacked, unpacked);
        if (stat.size > kSmall && stat.size / kMaxRatio > stat.comp_size)
            fail(Status::invalid_argument, "{}: expected at most {} times its packed {} bytes, got {}", stat.name,
                 kMaxRatio, stat.comp_size, stat.size);
        if (!places_.emplace(stat.name, i).second)
            fail(Status::invalid_argument, "{}: expected once, the package has it twice", stat.name);
        names_.emplace_back(stat.name);
    }
}

Package::~Package() = default;

std::string Package::read(std::string_view name) const {
    const auto place = places_.find(name);
    if (place == places_.end()) fail(Status::invalid_argument, "{}: expected in the package, it is not there", name);
    zip_stat_t stat;
    zip_stat_index(library_->archive, place->second, 0, &stat);
    zip_file_t* file = zip_fopen_index(library_->archive, place->second, 0);
    if (!file) fail(Status::invalid_argument, "{}: {}", name, zip_strerror(library_->archive));
    std::string bytes(stat.size, '\0');
    char further = 0;  // the checksum is tested at the end
    const zip_int64_t count = zip_fread(file, bytes.data(), bytes.size());
    const zip_int64_t more = zip_fread(file, &further, 1);
    const std::string why = zip_file_strerror(file);
    zip_fclose(file);
    if (count != zip_int64_t(bytes.size()) || more != 0)
        fail(Status::invalid_argument, "{}: expected {} bytes, got {} ({})", name, bytes.size(),
             std::max<zip_int64_t>(count, 0), more > 0 ? "and more" : why);
    return bytes;
}

std::string Package::with(const std::map<std::string, std::string>& changed) const {
    if (changed.empty()) return std::string(library_->bytes);
    zip_source_t* target = source_to_write(library_->bytes);
    zip_source_keep(target);
    zip_t* archive = open(target, 0);
    const auto check = [&](bool good, std::string_view name) {
        if (good) return;
        const std::string why = zip_strerror(archive);
        zip_discard(archive);
        zip_source_free(target);
        fail(Status::invalid_argument, "{}: expected members that can be packed again, got broken ones ({})", name,
             why);
    };
    for (const auto& [name, bytes] : changed) {
        const std::size_t place = places_.find(name)->second;
        zip_stat_t stat;
        check(zip_stat_index(archive, place, 0, &stat) == 0, name);
        zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), /*freep=*/0);
        check(source && zip_file_replace(archive, place, source, 0) == 0, name);
        check(zip_file_set_mtime(archive, place, stat.mtime, 0) == 0, name);
        const zip_int32_t method = stat.comp_method == ZIP_CM_STORE ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
        check(zip_set_file_compression(archive, place, method, 0) == 0, name);
    }
    check(zip_close(archive) == 0, "document");
    std::string bytes = content(target);
    zip_source_free(target);
    return bytes;
}

namespace {

Format find_in(const Package& package) {
    if (package.has("mimetype")) {
        const std::string type = package.read("mimetype");
        const std::string_view kinds = type;
        if (kinds.starts_with("application/epub+zip")) return Format::epub;
        if (kinds.find("opendocument.text") != std::string_view::npos) return Format::odt;
        if (kinds.find("opendocument.spreadsheet") != std::string_view::npos) return Format::ods;
        if (kinds.find("opendocument.presentation") != std::string_view::npos) return Format::odp;
    }
    if (!package.has("[Content_Types].xml")) return Format::unknown;
    const std::string types = package.read("[Content_Types].xml");
    const auto has = [&](std::string_view part) { return types.find(part) != std::string::npos; };
    if (has("wordprocessingml.document.main+xml") || has("wordprocessingml.template.main+xml") ||
        has("ms-word.document.macroEnabled.main+xml"))
        return Format::docx;
    if (has("presentationml.presentation.main+xml") || has("presentationml.slideshow.main+xml") ||
        has("presentationml.template.main+xml") || has("ms-powerpoint.presentation.macroEnabled.main+xml"))
        return Format::pptx;
    if (has("spreadsheetml.sheet.main+xml") || has("ms-excel.sheet.macroEnabled.main+xml") ||
        has("spreadsheetml.template.main+xml"))
        return Format::xlsx;
    return Format::unknown;
}

}  // namespace

Format package_format(std::string_view bytes) noexcept {
    try {
        return find_in(Package(bytes));
    } catch (...) {
        return Format::unknown;
    }
}

}  // namespace dragoman::documents

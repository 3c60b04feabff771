// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>

#include "base/error.h"
#include "base/os/path_text.h"
#include "download/sha256.h"
#include "registry/install.h"
#include "registry/model_place.h"

namespace dragoman::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kVerifyBlock = 1 << 18;

class Verifier {
public:
    Verifier(const store::Installed& model, const download::ProgressFn& progress) : progress_(progress) {
        for (const store::StoredFile& file : model.files) now_.total_bytes += file.bytes;
    }

    std::string problem_of(const fs::path& path, const store::StoredFile& file) {
        now_.file = file.name;
        std::error_code error;
        const uint64_t bytes = fs::file_size(path, error);
        if (error) return fs::exists(path) ? error.message() : "missing";
        if (bytes != file.bytes) return fmt::format("{} bytes, expected {}", bytes, file.bytes);
        std::ifstream in(path, std::ios::binary);
        if (!in) return "cannot be read";
        const std::string sum = sum_of(in);
        if (in.bad()) return "cannot be read to its end";
        return sum == file.sha256 ? "" : fmt::format("SHA-256 {}, expected {}", sum, file.sha256);
    }

private:
    std::string sum_of(std::ifstream& in) {
        download::Sha256 sum;
        std::vector<std::byte> block(kVerifyBlock);
        while (in) {
            in.read(reinterpret_cast<char*>(block.data()), std::streamsize(block.size()));
            sum.add(std::span(block).first(std::size_t(in.gcount())));
            now_.done_bytes += std::size_t(in.gcount());
            tell();
        }
        return sum.hex();
    }

    void tell() {
        const auto time = std::chrono::steady_clock::now();
        if (!progress_ || time - told_ < std::chrono::milliseconds(100)) return;
        told_ = time;
        if (!progress_(now_)) fail(Status::cancelled, "verifying was stopped");
    }

    const download::ProgressFn& progress_;
    download::Progress now_;
    std::chrono::steady_clock::time_point told_{};
};

}  // namespace

std::vector<Verified> verify(const store::Installed& model, const download::ProgressFn& progress) {
    const fs::path folder = ModelPlace::of(model).target;
    Verifier verifier(model, progress);
    std::vector<Verified> verified;
    for (const store::StoredFile& file : model.files)
        verified.push_back({file.name, verifier.problem_of(folder / path_of(file.name), file)});
    return verified;
}

}  // namespace dragoman::registry

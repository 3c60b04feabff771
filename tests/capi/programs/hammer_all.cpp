// SPDX-License-Identifier: Apache-2.0
// hammer_all SECONDS [THREADS [SEED]]: what hammer.cpp leaves out, from threads that share everything: fed jobs, memories,
// glossaries, several devices, vectors, scores, documents, and models and devices that come and go meanwhile. Translations
// are compared; run it under a sanitizer.
#include <dragoman/documents.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hammer.h"
#include "model_in_memory.h"

namespace {

using namespace dragoman::test;

const std::string kSource = "آتزمون", kTarget = "atzmon";

dragoman_string str(const std::string& text) { return {text.data(), text.size()}; }

template <class T>
using Share = std::shared_ptr<T>;

struct Shared {
    const ModelInMemory& files;
    std::array<Slot<dragoman_model>, 3> models;
    std::array<Slot<dragoman_translator>, 4> translators;
    std::array<Slot<dragoman_job>, 4> jobs;
    Slot<dragoman_memory> memory;
    Slot<dragoman_glossary> glossary;
    std::atomic<uint64_t> translations = 0, fed = 0, documents = 0, vectors = 0, loads = 0;
};

class Worker {
public:
    Worker(Shared& shared, unsigned seed) : shared_(shared), random_(seed) {}
    void run(std::chrono::steady_clock::time_point end) {
        while ((std::chrono::steady_clock::now() < end || shared_.translations == 0) && faults == 0) step();
    }

private:
    std::size_t any(std::size_t count) { return random_() % count; }
    template <class Slots>
    auto& one_of(Slots& slots) {
        return slots[any(slots.size())];
    }

    void step() {
        switch (any(20)) {
            case 0: return load();
            case 1: return one_of(shared_.translators).set(nullptr);
            case 2: return remember();
            case 3: return learn_terms();
            case 4: return devices();
            case 5:
            case 6: return embed();
            case 7:
            case 8: return score();
            case 9:
            case 10: return document();
            case 11:
            case 12:
            case 13: return feed();
            case 14:
            case 15: return take();
            case 16: return one_of(shared_.jobs).set(nullptr);
            default: return translate();
        }
    }

    // On the device that all share, on one of its own, or on several that work together.
    void load() {
        Share<dragoman_device> device;
        if (const std::size_t how = any(3)) {
            dragoman_device_options options;
            dragoman_device_options_init(&options);
            options.name = how == 1 ? "0" : "0,0";
            dragoman_device* opened = nullptr;
            expect_ok(dragoman_device_open(&options, &opened), "device");
            device = owned(opened, dragoman_device_close);
        }
        dragoman_model_options options;
        dragoman_model_options_init(&options);
        options.device = device.get();
        dragoman_model* model = nullptr;
        expect_ok(shared_.files.load(&model, &options), "load");
        ++shared_.loads;
        one_of(shared_.models).set(owned(model, dragoman_model_destroy));
        if (device && any(2)) expect_ok(dragoman_device_trim(device.get()), "trim");
    }
    Share<dragoman_translator> translator() {
        auto& slot = one_of(shared_.translators);
        if (auto found = slot.get()) return found;
        const auto model = one_of(shared_.models).get();
        if (!model) return load(), nullptr;
        dragoman_translator* made = nullptr;
        expect_ok(dragoman_translator_create(model.get(), &made), "create");
        slot.set(owned(made, dragoman_translator_destroy));
        return slot.get();
    }
    void remember() {
        const auto memory = shared_.memory.get();
        if (!memory || any(4) == 0) {
            dragoman_memory* made = nullptr;
            expect_ok(dragoman_memory_create(nullptr, &made), "memory");
            return shared_.memory.set(owned(made, dragoman_memory_destroy));
        }
        if (any(3) == 0) expect_ok(dragoman_memory_clear(memory.get()), "clear");
        dragoman_memory_counts counts;
        dragoman_memory_counts_init(&counts);
        expect_ok(dragoman_memory_stats(memory.get(), &counts), "counts");
    }
    void learn_terms() {
        const std::string terms = "آزا\tazza\n";
        const dragoman_string bytes = str(terms);
        dragoman_glossary* made = nullptr;
        expect_ok(dragoman_glossary_read(&bytes, "ar", "en", &made), "glossary");
        expect(dragoman_glossary_count(made) == 1, "glossary's terms");
        shared_.glossary.set(owned(made, dragoman_glossary_destroy));
    }
    void devices() {
        dragoman_memory_info memory;
        dragoman_memory_info_init(&memory);
        if (const auto model = one_of(shared_.models).get())
            expect_ok(dragoman_model_memory(model.get(), &memory), "model's memory");
        expect_ok(dragoman_device_memory(0, &memory), "device's memory");
        if (const auto made = translator()) expect_ok(dragoman_translator_trim(made.get()), "trim");
    }
    void embed() {
        const auto model = one_of(shared_.models).get();
        if (!model) return load();
        const dragoman_string texts[] = {str(kSource), str(kTarget), dragoman_str("")};
        dragoman_vectors* vectors = nullptr;
        expect_ok(dragoman_embed_texts(model.get(), texts, std::size(texts), nullptr, &vectors), "embed");
        expect(dragoman_vectors_count(vectors) == std::size(texts), "vectors");
        dragoman_vectors_destroy(vectors);
        ++shared_.vectors;
    }
    void score() {
        const auto made = translator();
        if (!made) return;
        const dragoman_string source = str(kSource), target = str(kTarget);
        dragoman_scores* scores = nullptr;
        expect_ok(dragoman_score_texts(made.get(), &source, &target, 1, nullptr, &scores), "score");
        dragoman_scores_destroy(scores);
    }
    void document() {
        const auto made = translator();
        if (!made) return;
        const bool html = any(2) == 0;
        const std::string text = html ? "<p>" + kSource + "</p>" : kSource + "\n";
        dragoman_document* written = nullptr;
        expect_ok(dragoman_translate_document_bytes(made.get(), html ? "a.html" : "a.txt", text.data(), text.size(),
                                                    nullptr, nullptr, &written),
                  "document");
        const dragoman_string bytes = dragoman_document_bytes(written);
        expect(std::string(bytes.data, bytes.size).find(kTarget) != std::string::npos, "document's text");
        dragoman_document_destroy(written);
        ++shared_.documents;
    }
    void translate() {
        const auto made = translator();
        if (!made) return;
        const auto memory = shared_.memory.get();
        const auto glossary = shared_.glossary.get();
        dragoman_translate_options options;
        dragoman_translate_options_init(&options);
        options.beam_size = 1 + uint32_t(any(4));
        options.return_alignment = int32_t(any(2));
        options.return_attention = int32_t(any(2));
        options.return_quality = int32_t(any(2));
        if (any(2)) options.memory = memory.get();
        if (any(3) == 0) options.glossary = glossary.get();
        const dragoman_string text = str(kSource);
        dragoman_result* result = nullptr;
        expect_ok(dragoman_translate_texts(made.get(), &text, 1, nullptr, &options, &result), "translate");
        check(result, 0);
    }
    void check(dragoman_result* result, std::size_t which) {
        dragoman_string text{};
        if (result) expect_ok(dragoman_result_text(result, which, 0, &text), "text");
        expect(result && std::string(text.data, text.size) == kTarget, "wrong translation");
        dragoman_result_destroy(result);
        ++shared_.translations;
    }
    // A job that gets its texts bit by bit; whoever takes its results may be another thread, or nobody.
    void feed() {
        const auto made = translator();
        if (!made) return;
        auto& slot = one_of(shared_.jobs);
        auto job = slot.get();
        if (!job || any(4) == 0) {
            dragoman_job_options how;
            dragoman_job_options_init(&how);
            how.fed = 1;
            how.priority = int32_t(any(3));
            dragoman_job* begun = nullptr;
            expect_ok(dragoman_submit_texts(made.get(), nullptr, 0, nullptr, nullptr, &how, &begun), "submit");
            job = owned(begun, dragoman_job_destroy);
            slot.set(job);
        }
        const std::vector<dragoman_string> texts(1 + any(3), str(kSource));
        std::size_t taken = 0;
        const dragoman_status status = dragoman_job_feed_texts(job.get(), texts.data(), texts.size(), nullptr,
                                                               int64_t(any(5)), &taken);
        // Another thread may have ended it.
        expect(status == DRAGOMAN_OK || status == DRAGOMAN_CANCELLED || status == DRAGOMAN_INVALID_ARGUMENT, "feed",
               status);
        shared_.fed += status == DRAGOMAN_OK ? taken : 0;
        if (any(8) == 0) dragoman_job_finish(job.get());
        if (any(16) == 0) expect_ok(dragoman_job_cancel(job.get()), "cancel");
    }
    void take() {
        const auto job = one_of(shared_.jobs).get();
        if (!job) return feed();
        dragoman_result* result = nullptr;
        const dragoman_status status = dragoman_job_next_result(job.get(), int64_t(any(20)), &result);
        expect(status == DRAGOMAN_OK || status == DRAGOMAN_CANCELLED, "next", status);
        if (result) check(result, 0);
    }

    Shared& shared_;
    std::mt19937 random_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: hammer_all SECONDS [THREADS [SEED]]\n"), 2;
    const HammerOptions options(argc, argv, 16);
    const ModelInMemory files(DRAGOMAN_TEST_DATA);
    Shared shared{files, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    run_workers<Worker>(shared, options);
    for (auto& slot : shared.jobs) slot.set(nullptr);
    for (auto& slot : shared.translators) slot.set(nullptr);
    for (auto& slot : shared.models) slot.set(nullptr);
    const auto number = [](const std::atomic<uint64_t>& value) {
        return static_cast<unsigned long long>(value.load());
    };
    std::printf("%llu translations, %llu texts fed, %llu documents, %llu vectors, %llu models loaded, %d faults\n",
                number(shared.translations), number(shared.fed), number(shared.documents), number(shared.vectors),
                number(shared.loads), faults.load());
    return faults == 0 && shared.translations > 0 ? 0 : 1;
}

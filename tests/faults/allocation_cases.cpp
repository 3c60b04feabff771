// SPDX-License-Identifier: Apache-2.0
#include "allocation_cases.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace dragoman::faults {
namespace {

const char* const kOther = DRAGOMAN_TEST_DATA "/aren-transliteration";
constexpr std::string_view kLetters[] = {"آ", "ت", "ز", "م", "و", "ن"};
constexpr std::string_view kTexts[] = {"batin kétiß. An other one.", "Das ist ein Haus."};

void require(dragoman_status status, const char* what) {
    if (status == DRAGOMAN_OK) return;
    std::printf("cannot %s: %s: %s\n", what, dragoman_status_name(status), dragoman_last_error());
    std::exit(2);
}

// The arrays that the C API takes; made before any memory runs out.
struct Inputs {
    Inputs() {
        for (const std::string_view letter : kLetters) letters.push_back({letter.data(), letter.size()});
        for (const std::string_view text : kTexts) texts.push_back({text.data(), text.size()});
        tokens = {{letters.data(), letters.size()}, {letters.data(), 3}};
    }
    std::vector<dragoman_string> letters{}, texts{};
    std::vector<dragoman_tokens> tokens{};
};

const Inputs& inputs() {
    static const Inputs all;
    return all;
}

void add(std::string& found, const void* bytes, std::size_t size) {
    char digits[3];
    for (std::size_t i = 0; i < size; ++i) {
        std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(bytes)[i]);
        found += digits;
    }
}

std::string content(const dragoman_result* result) {
    std::string found;
    for (std::size_t input = 0; input < dragoman_result_count(result); ++input)
        for (std::size_t h = 0; h < dragoman_result_hypothesis_count(result, input); ++h) {
            dragoman_string text{};
            dragoman_tokens tokens{};
            dragoman_matrix attention{};
            float score = 0;
            if (dragoman_result_text(result, input, h, &text) == DRAGOMAN_OK) found.append(text.data, text.size);
            dragoman_status made = dragoman_result_tokens(result, input, h, &tokens);
            if (made == DRAGOMAN_OUT_OF_MEMORY)  // they are made when they are asked for, and only one allocation fails
                made = dragoman_result_tokens(result, input, h, &tokens);
            if (made == DRAGOMAN_OK)
                for (std::size_t i = 0; i < tokens.count; ++i)
                    found.append(tokens.data[i].data, tokens.data[i].size) += ' ';
            if (dragoman_result_score(result, input, h, &score) == DRAGOMAN_OK) add(found, &score, sizeof score);
            if (dragoman_result_attention(result, input, h, &attention) == DRAGOMAN_OK && attention.data)
                add(found, attention.data, attention.rows * attention.cols * sizeof(float));
            found += '\n';
        }
    return found;
}

}  // namespace

dragoman_status Cases::load(dragoman_model** model) {
    dragoman_model_options options;
    dragoman_model_options_init(&options);
    options.device = device_;
    return dragoman_model_load(path_.c_str(), &options, model);
}

Cases::Cases(const std::string& model) : path_(model) {
    inputs();
    for (dragoman_translate_options* options : {&plain_, &rich_, &alternatives_, &remembered_}) {
        dragoman_translate_options_init(options);
        options->max_decoding_length = 12;
    }
    rich_.beam_size = 4;
    rich_.num_hypotheses = 2;
    rich_.return_scores = rich_.return_attention = 1;
    alternatives_.return_alternatives = 1;
    alternatives_.num_hypotheses = 3;
    dragoman_device_options device;
    dragoman_device_options_init(&device);
    require(dragoman_device_open(&device, &device_), "open the device");
    dragoman_model_options options;
    dragoman_model_options_init(&options);
    options.device = device_;
    require(dragoman_model_load(kOther, &options, &other_), "load the other model");
    require(dragoman_translator_create(other_, &other_translator_), "make its translator");
    require(load(&model_), "load the model");
    dragoman_model_info info{};
    info.struct_size = sizeof info;
    require(dragoman_model_get_info(model_, &info), "describe the model");
    texts_ = info.has_tokenizer;
    encoder_ = info.decoder_layers == 0;
    dragoman_language_list* languages = nullptr;
    require(dragoman_model_languages(model_, DRAGOMAN_SIDE_TARGET, &languages), "list its languages");
    if (!encoder_) require(dragoman_translator_create(model_, &translator_), "make a translator");
    dragoman_memory_options keep;
    dragoman_memory_options_init(&keep);
    require(dragoman_memory_create(&keep, &memory_), "make a memory");
    remembered_.memory = memory_;
    static std::vector<std::string> codes;
    if (dragoman_language_list_count(languages) > 1) {
        const dragoman_language& first = dragoman_language_list_data(languages)[0];
        const dragoman_language& second = dragoman_language_list_data(languages)[1];
        codes = {first.code, second.code};
        for (dragoman_translate_options* each : {&plain_, &rich_, &alternatives_, &remembered_}) {
            each->source_language = codes[0].c_str();
            each->target_language = codes[1].c_str();
        }
    }
    dragoman_language_list_destroy(languages);
}

void Cases::unload() {
    dragoman_memory_destroy(std::exchange(memory_, nullptr));
    dragoman_translator_destroy(std::exchange(leaving_translator_, nullptr));
    dragoman_model_destroy(std::exchange(leaving_, nullptr));
    dragoman_translator_destroy(std::exchange(translator_, nullptr));
    dragoman_model_destroy(std::exchange(model_, nullptr));
    dragoman_translator_destroy(std::exchange(other_translator_, nullptr));
    dragoman_model_destroy(std::exchange(other_, nullptr));
}

Cases::~Cases() {
    unload();
    dragoman_device_close(device_);
}

uint64_t Cases::held_bytes() {
    dragoman_memory_info info{};
    info.struct_size = sizeof info;
    dragoman_device_trim(device_);
    require(dragoman_device_get_memory(device_, &info), "ask the device for its memory");
    return info.held_bytes;
}

std::string Cases::neighbour() {
    dragoman_result* result = nullptr;
    const dragoman_status status = dragoman_translate_tokens(other_translator_, inputs().tokens.data(), 2, nullptr,
                                                             nullptr, &result);
    const std::string found = status == DRAGOMAN_OK ? content(result) : dragoman_last_error();
    dragoman_result_destroy(result);
    return found;
}

// Results are read while memory may run out, too.
dragoman_status Cases::translate(dragoman_translator* translator, const dragoman_translate_options& options,
                                 std::string& found) {
    dragoman_result* result = nullptr;
    const dragoman_status status =
        texts_ ? dragoman_translate_texts(translator, inputs().texts.data(), 2, nullptr, &options, &result)
               : dragoman_translate_tokens(translator, inputs().tokens.data(), 2, nullptr, &options, &result);
    if (status == DRAGOMAN_OK) found = content(result);
    dragoman_result_destroy(result);
    return status;
}

namespace {

// What was ready and could not be handed over is handed over by the next call: only one allocation fails.
template <class Take>
dragoman_status take_again(dragoman_status status, const dragoman_job* job, const Take& take) {
    dragoman_job_info info{};
    info.struct_size = sizeof info;
    if (status != DRAGOMAN_OUT_OF_MEMORY || dragoman_job_poll(job, &info) != DRAGOMAN_OK || info.status != DRAGOMAN_OK)
        return status;
    return take() == DRAGOMAN_OK ? DRAGOMAN_OK : DRAGOMAN_INTERNAL;
}

}  // namespace

dragoman_status Cases::submit(dragoman_translator* translator, std::string& found) {
    static std::atomic<int> ended;
    ended = 0;
    dragoman_job_options how;
    dragoman_job_options_init(&how);
    how.events = DRAGOMAN_EVENTS_PARTIAL | DRAGOMAN_EVENTS_SENTENCE | DRAGOMAN_EVENTS_END;
    how.on_event = [](const dragoman_event* event, void*) {
        if (event->kind == DRAGOMAN_EVENT_END) ++ended;
    };
    dragoman_job* job = nullptr;
    dragoman_status status =
        texts_ ? dragoman_submit_texts(translator, inputs().texts.data(), 2, nullptr, &plain_, &how, &job)
               : dragoman_submit_tokens(translator, inputs().tokens.data(), 2, nullptr, &plain_, &how, &job);
    if (status != DRAGOMAN_OK) return status;
    dragoman_job_wait(job, -1, nullptr);
    dragoman_result* result = nullptr;
    const auto take = [&] { return dragoman_job_take_result(job, &result); };
    status = take_again(take(), job, take);
    if (status == DRAGOMAN_OK) found = content(result);
    dragoman_result_destroy(result);
    dragoman_job_destroy(job);
    return ended == 1 ? status : DRAGOMAN_INTERNAL;
}

dragoman_status Cases::feed(std::string& found) {
    dragoman_job_options how;
    dragoman_job_options_init(&how);
    how.fed = 1;
    dragoman_job* job = nullptr;
    dragoman_status status = texts_ ? dragoman_submit_texts(translator_, nullptr, 0, nullptr, &plain_, &how, &job)
                                    : dragoman_submit_tokens(translator_, nullptr, 0, nullptr, &plain_, &how, &job);
    if (status != DRAGOMAN_OK) return status;
    for (std::size_t at = 0; at < 2 && status == DRAGOMAN_OK;) {
        std::size_t taken = 0;
        status = texts_ ? dragoman_job_feed_texts(job, &inputs().texts[at], 1, nullptr, -1, &taken)
                        : dragoman_job_feed_tokens(job, &inputs().tokens[at], 1, nullptr, -1, &taken);
        if (status == DRAGOMAN_OK && taken == 0) break;  // it has ended
        at += taken;
    }
    if (status == DRAGOMAN_OK) status = dragoman_job_finish(job);
    std::string all;
    for (dragoman_result* result = nullptr; status == DRAGOMAN_OK; dragoman_result_destroy(result)) {
        result = nullptr;
        const auto take = [&] { return dragoman_job_next_result(job, -1, &result); };
        status = take_again(take(), job, take);
        if (status != DRAGOMAN_OK || !result) break;
        all += content(result);
    }
    dragoman_job_destroy(job);
    if (status == DRAGOMAN_OK) found = all;
    return status;
}

dragoman_status Cases::score(std::string& found) {
    dragoman_scores* scores = nullptr;
    const dragoman_status status =
        texts_
            ? dragoman_score_texts(translator_, inputs().texts.data(), inputs().texts.data(), 2, nullptr, &scores)
            : dragoman_score_tokens(translator_, inputs().tokens.data(), inputs().tokens.data(), 2, nullptr, &scores);
    for (std::size_t pair = 0; pair < dragoman_scores_count(scores); ++pair) {
        dragoman_matrix row{};
        if (dragoman_scores_log_probs(scores, pair, &row) == DRAGOMAN_OK)
            add(found, row.data, row.cols * sizeof(float));
    }
    dragoman_scores_destroy(scores);
    return status;
}

dragoman_status Cases::embed(std::string& found) {
    dragoman_vectors* vectors = nullptr;
    const dragoman_status status = dragoman_embed_texts(model_, inputs().texts.data(), 2, nullptr, &vectors);
    dragoman_matrix rows{};
    if (status == DRAGOMAN_OK && dragoman_vectors_all(vectors, &rows) == DRAGOMAN_OK)
        add(found, rows.data, rows.rows * rows.cols * sizeof(float));
    dragoman_vectors_destroy(vectors);
    return status;
}

dragoman_status Cases::tokenize(std::string& found) {
    dragoman_token_lists* lists = nullptr;
    const dragoman_status status = dragoman_tokenize(model_, DRAGOMAN_SIDE_SOURCE, inputs().texts.data(), 2, &lists);
    for (std::size_t i = 0; i < dragoman_token_lists_count(lists); ++i) {
        dragoman_tokens tokens{};
        dragoman_token_lists_get(lists, i, &tokens);
        for (std::size_t t = 0; t < tokens.count; ++t) found.append(tokens.data[t].data, tokens.data[t].size) += ' ';
    }
    dragoman_token_lists_destroy(lists);
    return status;
}

// A device of its own, from opening to closing.
dragoman_status Cases::whole(std::string& found) {
    dragoman_device* device = nullptr;
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    dragoman_device_options on;
    dragoman_device_options_init(&on);
    dragoman_status status = dragoman_device_open(&on, &device);
    dragoman_model_options options;
    dragoman_model_options_init(&options);
    options.device = device;
    if (status == DRAGOMAN_OK) status = dragoman_model_load(path_.c_str(), &options, &model);
    if (status == DRAGOMAN_OK && !encoder_) status = dragoman_translator_create(model, &translator);
    if (status == DRAGOMAN_OK && !encoder_) status = translate(translator, plain_, found);
    if (status == DRAGOMAN_OK && !encoder_) status = submit(translator, found);
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    dragoman_device_close(device);
    return status;
}

std::vector<Case> Cases::all() {
    std::vector<Case> cases;
    cases.push_back({"open", {}, [](std::string&) {
                         dragoman_device_options options;
                         dragoman_device_options_init(&options);
                         dragoman_device* device = nullptr;
                         const dragoman_status status = dragoman_device_open(&options, &device);
                         dragoman_device_close(device);
                         return status;
                     }});
    cases.push_back({"load", {}, [this](std::string&) {
                         dragoman_model* model = nullptr;
                         const dragoman_status status = load(&model);
                         dragoman_model_destroy(model);
                         return status;
                     }});
    cases.push_back({"describe", {}, [this](std::string& found) {
                         dragoman_model_info info{};
                         info.struct_size = sizeof info;
                         const dragoman_status status = dragoman_model_describe(path_.c_str(), &info);
                         if (status == DRAGOMAN_OK) add(found, &info, sizeof info);
                         return status;
                     }});
    cases.push_back({"unload",
                     [this] {
                         require(load(&leaving_), "load the model again");
                         std::string found;
                         if (encoder_) return;
                         require(dragoman_translator_create(leaving_, &leaving_translator_), "make a translator");
                         require(translate(leaving_translator_, plain_, found), "translate");
                     },
                     [this](std::string&) {
                         dragoman_translator_destroy(std::exchange(leaving_translator_, nullptr));
                         dragoman_model_destroy(std::exchange(leaving_, nullptr));
                         return DRAGOMAN_OK;
                     }});
    cases.push_back({"trim", [this] { neighbour(); }, [this](std::string&) { return dragoman_device_trim(device_); }});
    if (texts_) cases.push_back({"tokenize", {}, [this](std::string& found) { return tokenize(found); }});
    cases.push_back({"whole", {}, [this](std::string& found) { return whole(found); }});
    if (encoder_) {
        cases.push_back({"embed", {}, [this](std::string& found) { return embed(found); }});
        return cases;
    }
    cases.push_back({"create", {}, [this](std::string&) {
                         dragoman_translator* translator = nullptr;
                         const dragoman_status status = dragoman_translator_create(model_, &translator);
                         dragoman_translator_destroy(translator);
                         return status;
                     }});
    cases.push_back({"translate", {}, [this](std::string& found) { return translate(translator_, plain_, found); }});
    cases.push_back({"rich", {}, [this](std::string& found) { return translate(translator_, rich_, found); }});
    cases.push_back({"alternatives", {}, [this](std::string& found) {
                         return translate(translator_, alternatives_, found);
                     }});
    if (texts_)
        cases.push_back({"memory", [this] { dragoman_memory_clear(memory_); },
                         [this](std::string& found) {
                             const dragoman_status first = translate(translator_, remembered_, found);
                             return first == DRAGOMAN_OK ? translate(translator_, remembered_, found) : first;
                         }});
    cases.push_back({"submit", {}, [this](std::string& found) { return submit(translator_, found); }});
    cases.push_back({"feed", {}, [this](std::string& found) { return feed(found); }});
    cases.push_back({"score", {}, [this](std::string& found) { return score(found); }});
    return cases;
}

}  // namespace dragoman::faults

// SPDX-License-Identifier: Apache-2.0
#include "kept_lines.h"

#include <fmt/format.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <span>

#include "base/os/file.h"
#include "base/os/path_text.h"
#include "base/os/whole_file.h"
#include "command_line.h"
#include "written.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBegin = "dragoman lines 1";
constexpr uintmax_t kEmptyJournal = 64;  // more than it has besides the key
constexpr uint64_t kSentenceBytes = uint64_t(64) << 20;  // far more than the inputs that are at work take

// FNV-1a, 64 bits.
uint64_t mixed(std::string_view bytes, uint64_t print = 0xcbf29ce484222325u) {
    for (const char byte : bytes) print = (print ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return print;
}

std::string checked(const std::string& line) { return fmt::format("{}\t{:016x}\n", line, mixed(line)); }

// The next line without its check; empty: there is no more that is whole.
std::string_view next(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    const std::string_view line = text.substr(0, end), said = line.substr(0, std::min(line.rfind('\t'), line.size()));
    if (checked(std::string(said)) != text.substr(0, end + 1)) return {};
    text.remove_prefix(end + 1);
    return said;
}

// What changes the output besides the options of the library. The bindings name every member, so that a new one does
// not compile until somebody has said whether it does.
std::string own_key(const TranslateCommand& command) {
    const auto& [texts, words, input, output, files, machine, downloads, chosen, prefix, from, to, route, suppress,
                 end_tokens, batch_size, tokens, json, stats, verbose, texts_are_whole, on_error, glossary, memory,
                 write_tmx, memory_size, tmx, alignment, continues, format, document, folder, keeps_lines, resume,
                 progress, given, show, attention_picture, options] = command;
    const std::string names = json && !chosen.empty() ? fmt::format("--model\t{}\n", Json(chosen).dump()) : "";
    return fmt::format("--prefix\t{}\n--json\t{}\n--on-error\t{}\n--alignment\t{}\n{}", Json(prefix).dump(), json,
                       int(on_error), alignment, names);
}

}  // namespace

bool KeptLines::possible(const TranslateCommand& command) {
    std::error_code none;
    const fs::path output = dragoman::path_of(command.output);
    return command.output != "-" && (!fs::exists(output, none) || fs::is_regular_file(output, none));
}

KeptLines::KeptLines(const TranslateCommand& command, const dragoman::Translator& translator, Inputs& inputs)
    : command_(command), translator_(translator), path_(command.output + ".resume"),
      sentences_path_(path_ + "-sentences"), key_(key(nullptr)) {
    if (command.resume) read();
    pass_over(inputs);
    if (!file_.is_open()) begin();
    try {
        keep_sentences();
    } catch (...) {
        if (saved_.inputs == 0 && !follows_stop_) finish();
        throw;
    }
}

void KeptLines::keep_sentences() {
    dragoman_memory* memory = nullptr;
    const dragoman_string key = dragoman::view(key_);
    const dragoman_status status = dragoman_keep_answers(sentences_path_.c_str(), &key, kSentenceBytes,
                                                         command_.options.memory, &memory);
    if (status == DRAGOMAN_IO_ERROR) fail(dragoman_last_error());
    dragoman::check(status);
    sentences_.reset(memory);
}

// Refuses where `kept` is another one.
std::string KeptLines::key(const std::string* kept) const {
    const std::string own = own_key(command_);
    const dragoman_string more{own.data(), own.size()}, old = kept ? dragoman::view(*kept) : dragoman_string{};
    dragoman_text_list* list = nullptr;
    const dragoman_status status = dragoman_translation_key(translator_.get(), &command_.options, command_.tokens,
                                                            &more, kept ? &old : nullptr, &list);
    if (kept && status == DRAGOMAN_INVALID_ARGUMENT) refuse(dragoman_last_error());
    dragoman::check(status);
    const dragoman::detail::Handle<dragoman_text_list, dragoman_text_list_destroy> owner(list);
    dragoman_string text{};
    dragoman::check(dragoman_text_list_get(list, 0, &text));
    return std::string(dragoman::view(text));
}

void KeptLines::refuse(const std::string& why) const {
    throw Failure(fmt::format("{}: {}; without --resume the translation begins anew", path_, why));
}

// The output is what the user named.
void KeptLines::fail(const std::string& why) const {
    throw Failure(fmt::format("{}: what is kept beside it cannot be written: {}", command_.output, why));
}

void KeptLines::rethrow() const {
    try {
        throw;
    } catch (const dragoman::Error& error) {
        if (std::string_view(error.what()).starts_with(sentences_path_)) fail(error.what());
        throw;
    }
}

void KeptLines::read() {
    std::error_code none;
    const fs::path output = dragoman::path_of(command_.output), path = dragoman::path_of(path_);
    for (const std::string& kept : {path_, sentences_path_})
        if (const std::string why = dragoman::os::foreign_link(dragoman::path_of(kept)); !why.empty())
            fail(kept + ": " + why);
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        if (fs::exists(output, none))
            refuse("there is none, so " + command_.output + " is no translation that was stopped");
        return;
    }
    follows_stop_ = true;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    in.close();
    std::string_view rest = text;
    const std::string_view first = next(rest);
    if (first != kBegin && !checked(kBegin).starts_with(text)) refuse("is no file of this program");
    std::string old;
    std::size_t whole = 0;
    for (std::string_view line; !(line = next(rest)).empty();) {
        const std::string said(line.substr(2));
        if (line.starts_with("k ")) old += said + "\n";
        if (line.starts_with("d ") && std::sscanf(said.c_str(), "%" SCNu64 " %" SCNu64 " %" SCNx64, &saved_.inputs,
                                                  &saved_.bytes, &saved_.print) == 3)
            whole = text.size() - rest.size();
    }
    if (whole == 0) return;  // ended before it had written anything
    key(&old);
    const auto size = fs::file_size(output, none);
    if (saved_.bytes > 0 && (none || size < saved_.bytes))
        refuse(fmt::format("{} has {} bytes, of {} that were written", command_.output, none ? 0 : size, saved_.bytes));
    none.clear();
    fs::resize_file(path, whole, none);
    errno = 0;
    file_.open(path, std::ios::binary | std::ios::app);
    if (none || !file_) fail(path_ + ": " + (none ? none.message() : write_error()));
}

void KeptLines::pass_over(Inputs& inputs) {
    std::string input;
    while (position_.inputs < saved_.inputs) {
        bool more = true;
        try {
            more = inputs.next(input);
        } catch (const BadInput& bad) {
            input = bad.input;
        }
        if (!more) break;
        take(input);
    }
    if (position_.inputs < saved_.inputs || position_.print != saved_.print)
        refuse(fmt::format("the {} inputs that are translated are not the first ones of the input", saved_.inputs));
    position_ = saved_;
}

void KeptLines::take(std::string_view input) {
    ++position_.inputs;
    position_.print = mixed("\n", mixed(input, position_.print));
}

void KeptLines::add(const std::string& line) { file_ << checked(line); }

// Before the output is emptied. An old file stays until the new one is whole, since the disk may be full. What is kept
// of sentences goes before it: it must not be found without its key beside it.
void KeptLines::begin() {
    std::error_code none;
    const fs::path path = dragoman::path_of(path_);
    follows_stop_ = fs::exists(path, none);
    std::string text = checked(kBegin);
    for (std::size_t at = 0; at < key_.size();) {
        const std::size_t end = key_.find('\n', at);
        text += checked("k " + key_.substr(at, end - at));
        at = end + 1;
    }
    text += checked(fmt::format("d 0 0 {:016x}", Position().print));
    dragoman::os::HiddenFile fresh;
    std::error_code error = fresh.create(path);
    if (!error) error = fresh.write(std::as_bytes(std::span(text)));
    if (!error) fs::remove(dragoman::path_of(sentences_path_), none);
    if (!error) error = fresh.publish(true);
    if (error) fail(path_ + ": " + error.message());
    errno = 0;
    file_.open(path, std::ios::binary | std::ios::app);
    if (!file_) fail(path_ + ": " + write_error());
}

void KeptLines::save(uint64_t bytes) {
    if (position_.inputs == saved_.inputs) return;
    position_.bytes = bytes;
    add(fmt::format("d {} {} {:016x}", position_.inputs, position_.bytes, position_.print));
    errno = 0;
    if (!file_.flush()) fail(path_ + ": " + write_error());
    saved_ = position_;
}

void KeptLines::finish() {
    file_.close();
    sentences_.reset();
    std::error_code none;
    for (const std::string& path : {path_, sentences_path_}) fs::remove(dragoman::path_of(path), none);
}

void KeptLines::stop(bool begun) {
    std::error_code none;
    const uintmax_t size = fs::file_size(dragoman::path_of(sentences_path_), none);
    const bool any_sentence = !none && size > key_.size() + kEmptyJournal;
    const bool any = saved_.inputs > 0 || any_sentence;
    // An output of an earlier run is as it was. Otherwise nobody may take it for a complete one.
    if (!any && !begun && !follows_stop_) return finish();
    if (!any && begun)
        fmt::print(stderr, "dragoman: {} is not complete; this goes on:\n    {}\n", command_.output,
                   command_to_resume());
    if (!any) return;
    const std::string done = saved_.inputs == 0
                                 ? fmt::format("what was translated for {} is kept", command_.output)
                                 : fmt::format("{} inputs are translated in {}{}", saved_.inputs, command_.output,
                                               any_sentence ? ", and further sentences are kept" : "");
    fmt::print(stderr, "dragoman: {}; this goes on from there:\n    {}\n", done, command_to_resume());
}

}  // namespace cli

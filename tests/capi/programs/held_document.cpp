// SPDX-License-Identifier: Apache-2.0
// held_document MODEL INPUT OUTPUT KEPT: translates a document, and waits when its first text is done, for the tests to
// end it there. It says so and goes on after a line of input.
#include <dragoman/documents.h>

#include <cstdio>

namespace {

int32_t hold(size_t done, size_t, void* user) {
    auto& held = *static_cast<bool*>(user);
    if (done == 0 || held) return 0;
    held = true;
    std::fputs("the first text is done\n", stderr);
    std::fflush(stderr);
    while (std::getchar() != '\n' && !std::feof(stdin)) continue;
    return 0;
}

}  // namespace

int main(int, char** argv) {
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    dragoman_translate_options options;
    dragoman_document_options how;
    if (dragoman_model_load(argv[1], nullptr, &model) != DRAGOMAN_OK) return 2;
    if (dragoman_translator_create(model, &translator) != DRAGOMAN_OK) return 2;
    dragoman_translate_options_init(&options);
    dragoman_document_options_init(&how);
    options.beam_size = 4;
    bool held = false;
    how.resume = argv[4];
    how.progress = hold;
    how.user = &held;
    const dragoman_status status = dragoman_translate_document(translator, argv[2], argv[3], &options, &how);
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    return status;
}

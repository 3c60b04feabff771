/* SPDX-License-Identifier: Apache-2.0 */
#include <dragoman/dragoman.h>
#include <stdio.h>

/* hello LANGUAGE TEXT: translates with the model that comes with the library, or the one DRAGOMAN_MODEL names. */
int main(int argc, char** argv) {
    dragoman_model* model = NULL;
    dragoman_translator* translator = NULL;
    dragoman_result* result = NULL;
    dragoman_translate_options options;
    dragoman_string text, translation = {NULL, 0};
    dragoman_status status;

    if (argc != 3) {
        fprintf(stderr, "usage: hello LANGUAGE TEXT\n");
        return 2;
    }
    dragoman_translate_options_init(&options);
    options.target_language = argv[1];
    text = dragoman_str(argv[2]);

    status = dragoman_model_load(NULL, NULL, &model);
    if (status == DRAGOMAN_OK) status = dragoman_translator_create(model, &translator);
    if (status == DRAGOMAN_OK) status = dragoman_translate_texts(translator, &text, 1, NULL, &options, &result);
    if (status == DRAGOMAN_OK) status = dragoman_result_text(result, 0, 0, &translation);
    if (status == DRAGOMAN_OK) printf("%s\n", translation.data);
    else fprintf(stderr, "%s: %s\n", dragoman_status_name(status), dragoman_last_error());

    dragoman_result_destroy(result);
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    return status == DRAGOMAN_OK ? 0 : 1;
}

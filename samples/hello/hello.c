/* SPDX-License-Identifier: Apache-2.0 */
#include <dragoman/dragoman.h>
#include <stdio.h>

enum { MAX_TOKENS = 256 };

/* hello MODEL TOKEN...: translates one sequence of tokens. */
int main(int argc, char** argv) {
    dragoman_model* model = NULL;
    dragoman_translator* translator = NULL;
    dragoman_result* result = NULL;
    dragoman_string words[MAX_TOKENS];
    dragoman_tokens source = {words, 0};
    dragoman_tokens target = {NULL, 0};
    dragoman_status status;

    if (argc < 2) {
        fprintf(stderr, "usage: hello MODEL TOKEN...\n");
        return 2;
    }
    for (int i = 2; i < argc && source.count < MAX_TOKENS; ++i) words[source.count++] = dragoman_str(argv[i]);

    status = dragoman_model_load(argv[1], NULL, &model);
    if (status == DRAGOMAN_OK) status = dragoman_translator_create(model, &translator);
    if (status == DRAGOMAN_OK) status = dragoman_translate_tokens(translator, &source, 1, NULL, NULL, &result);
    if (status == DRAGOMAN_OK) status = dragoman_result_tokens(result, 0, 0, &target);
    if (status != DRAGOMAN_OK) fprintf(stderr, "%s: %s\n", dragoman_status_name(status), dragoman_last_error());

    for (size_t i = 0; i < target.count; ++i) printf("%s%s", i ? " " : "", target.data[i].data);
    if (status == DRAGOMAN_OK) printf("\n");

    dragoman_result_destroy(result);
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    return status == DRAGOMAN_OK ? 0 : 1;
}

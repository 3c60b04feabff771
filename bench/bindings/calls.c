/* SPDX-License-Identifier: Apache-2.0 */
/* calls MODEL [ROUNDS]: what calls cost in C, for the table of README.md, which says what each line is. */
#include <dragoman/dragoman.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DETECTED "Wo ist der Bahnhof, und wann kommt der letzte Zug?"
#define TRANSLATED "batin k\xC3\xA9ti\xC3\x9F k\xC3\xA9nara k\xC3\xA9sora banara!"

static dragoman_translator* translator;
static dragoman_result* result;
static volatile size_t seen; /* what calls give is used, or they would be left out */

static void require(dragoman_status status) {
    if (status == DRAGOMAN_OK) return;
    fprintf(stderr, "calls: %s: %s\n", dragoman_status_name(status), dragoman_last_error());
    exit(1);
}

static void version(void) { seen += dragoman_version(); }

/* The text as a string of the program's own, as other languages make it. */
static void text(void) {
    dragoman_string found;
    char* copy;
    require(dragoman_result_text(result, 0, 0, &found));
    copy = malloc(found.size + 1);
    memcpy(copy, found.data, found.size + 1);
    seen += (unsigned char)copy[0];
    free(copy);
}

static void detect(void) {
    dragoman_string given = dragoman_str(DETECTED);
    dragoman_detection* languages = NULL;
    dragoman_language_guess guess;
    require(dragoman_detect_languages(&given, 1, NULL, &languages));
    dragoman_language_guess_init(&guess);
    require(dragoman_detection_guess(languages, 0, 0, &guess));
    seen += (unsigned char)guess.tag[0];
    dragoman_detection_destroy(languages);
}

static dragoman_result* translation(const char* given) {
    dragoman_string input = dragoman_str(given);
    dragoman_translate_options options;
    dragoman_result* made = NULL;
    require(dragoman_translate_options_init(&options));
    options.target_language = "xx";
    require(dragoman_translate_texts(translator, &input, 1, NULL, &options, &made));
    return made;
}

static void translated(const char* given) {
    dragoman_result* made = translation(given);
    dragoman_string found;
    require(dragoman_result_text(made, 0, 0, &found));
    seen += found.size;
    dragoman_result_destroy(made);
}

static void blank(void) { translated(" "); }
static void translate(void) { translated(TRANSLATED); }

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void* a, const void* b) {
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

/* Nanoseconds of one call: the median of `rounds`, each of `calls`. */
static void measure(const char* name, void (*call)(void), int calls, int rounds) {
    double* times = malloc((size_t)rounds * sizeof *times);
    int round, i;
    for (i = 0; i < calls / 10 + 1; ++i) call();
    for (round = 0; round < rounds; ++round) {
        const double begin = now();
        for (i = 0; i < calls; ++i) call();
        times[round] = (now() - begin) / calls;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("%s\t%.1f\n", name, times[rounds / 2]);
    free(times);
}

int main(int argc, char** argv) {
    const int rounds = argc > 2 ? atoi(argv[2]) : 21;
    dragoman_model* model = NULL;
    if (argc < 2 || rounds < 1) {
        fprintf(stderr, "usage: calls MODEL [ROUNDS]\n");
        return 2;
    }
    require(dragoman_model_load(argv[1], NULL, &model));
    require(dragoman_translator_create(model, &translator));
    result = translation(TRANSLATED);
    measure("version", version, 1000000, rounds);
    measure("text", text, 100000, rounds);
    measure("detect", detect, 1000, rounds);
    measure("blank", blank, 1000, rounds);
    measure("translate", translate, 10, rounds);
    dragoman_result_destroy(result);
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    return 0;
}

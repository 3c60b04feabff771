/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_H
#define DRAGOMAN_H

/**
 * @file
 * Dragoman: translation on any GPU, through Vulkan.
 *
 *     dragoman_model* model = NULL;
 *     dragoman_translator* translator = NULL;
 *     dragoman_result* result = NULL;
 *     dragoman_model_load("path/to/model", NULL, &model);
 *     dragoman_translator_create(model, &translator);
 *     dragoman_translate_texts(translator, &text, 1, NULL, NULL, &result);
 *
 * Rules that hold for every function:
 *
 * - Status. A function that can fail returns a dragoman_status and gives its result through its last parameter.
 *   Unless it returns DRAGOMAN_OK, that result is NULL or untouched. dragoman_last_error() says what was wrong.
 *   DRAGOMAN_OUT_OF_MEMORY and DRAGOMAN_INTERNAL can come from any of them and are not listed again below.
 * - Ownership. A handle (model, translator, job, result, ...) belongs to the caller, who ends it with the matching
 *   `..._destroy`; destroying NULL does nothing. Everything else is borrowed: strings, tokens and matrices read from a
 *   handle live until that handle is destroyed.
 * - Input is only read during the call; nothing the caller passes needs to outlive it.
 * - Text is UTF-8 with its length in bytes. Text from the library is UTF-8, and a zero byte follows it.
 *   Device names, and paths on Windows, are UTF-8 that ends with a zero byte; other systems' paths may be any bytes.
 * - Structs that start with `struct_size` are prepared by their `..._init` function, which fills in size and defaults.
 *   That is how a program keeps working with a newer library, and with an older one: fields are only ever added at the
 *   end. If options are smaller than the library's, the missing fields get its defaults; if they are larger, they are
 *   accepted when the bytes it does not know are zero. Into information the library writes as much as fits, and zeros
 *   into the rest.
 *   (A language without this header zeroes the struct, sets `struct_size` and, for options, calls `..._init_sized`.)
 * - NULL is an error (DRAGOMAN_INVALID_ARGUMENT, naming the argument) unless the function says what it means, or it is
 *   an array whose count is 0: no inputs give an empty result.
 * - Threads. Every function may be called from any thread. Models, translators, jobs, results and lists may be used by
 *   several threads at the same time; their types say what that means. Only `..._destroy` needs the handle for itself:
 *   it must not run while another thread uses the handle.
 * - Processes. In a child that fork() makes, handles of its parent refuse what needs their threads or their device with
 *   DRAGOMAN_INVALID_ARGUMENT, and ending them does nothing. The child may open a device and load a model of its own.
 * - Users. Several parts of a process may use the library without knowing of each other: they have only
 *   dragoman_set_log() and the device of models that name none in common.
 * - No C++ exception leaves the library. A callback must return normally: no exceptions, no longjmp.
 */

#include <dragoman/basics.h>
#include <dragoman/device.h>
#include <dragoman/model.h>
#include <dragoman/glossary.h>
#include <dragoman/memory.h>
#include <dragoman/translator.h>
#include <dragoman/result.h>
#include <dragoman/score.h>
#include <dragoman/detect.h>
#include <dragoman/embed.h>
#include <dragoman/job.h>
#include <dragoman/text.h>
#include <dragoman/keep.h>
#include <dragoman/convert.h>
#include <dragoman/bench.h>

#endif

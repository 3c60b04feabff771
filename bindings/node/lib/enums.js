// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_tables.py from capi/api.json.
"use strict";

/** The words for options that are enumerations in C, in the order of their numbers. */
const enums = {
    tune: ["auto", "off", "on"],
    computeType: ["auto", "f32", "f16", "int8", "int8_float16"],
    search: ["auto", "ctranslate2", "marian", "huggingface"],
    earlyStopping: ["auto", "off", "on", "never"],
    sampling: ["auto", "off", "on"],
    markup: ["none", "html", "xml"],
    pooling: ["model", "mean", "cls", "pooler", "tokens"],
    normalize: ["model", "off", "on"],
    weightType: ["keep", "f32", "f16", "q8", "q4"],
};

module.exports = { enums };

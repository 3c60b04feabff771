// SPDX-License-Identifier: Apache-2.0
"use strict";

const { defaultTranslator, translate } = require("./default.js");
const { Device } = require("./device.js");
const { documentFormat, translateDocument, translateDocumentBytes } = require("./documents.js");
const {
    BadModelError, CancelledError, ClosedError, DeviceLostError, DragomanError, FileError, InternalError,
    InvalidArgumentError, NoDeviceError, OutOfMemoryError, UnsupportedError,
} = require("./errors.js");
const { Glossary } = require("./glossary.js");
const { TranslationMemory } = require("./memory.js");
const { describe, detectLanguages, deviceMemory, devices, Model, splitSentences } = require("./model.js");
const { models } = require("./models.js");
const { native } = require("./native.js");
const { ALL_HEADS } = require("./options.js");
const { Hypothesis, Sentence, Translation } = require("./results.js");
const { bench, benchTokens, convert } = require("./tools.js");
const { Translator } = require("./translator.js");

/** Of the C library. */
const version = native.version;
const hasFeature = (name) => native.hasFeature(name);
const features = () => native.features();

// Names alone, which Node reads without running this file, so that `import { Translator } from "dragoman"` works, too.
module.exports = {
    ALL_HEADS, BadModelError, CancelledError, ClosedError, Device, DeviceLostError, DragomanError, FileError, Glossary,
    Hypothesis, InternalError, InvalidArgumentError, Model, NoDeviceError, OutOfMemoryError, Sentence, Translation,
    TranslationMemory, Translator, UnsupportedError, bench, benchTokens, convert, describe, detectLanguages, deviceMemory,
    devices, documentFormat, features, hasFeature, models, splitSentences, translate, translateDocument,
    translateDocumentBytes, defaultTranslator, version,
};

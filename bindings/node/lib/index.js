// SPDX-License-Identifier: Apache-2.0
import { native } from "./native.js";

export {
    BadModelError, CancelledError, ClosedError, DeviceLostError, DragomanError, FileError, InternalError,
    InvalidArgumentError, NoDeviceError, OutOfMemoryError, UnsupportedError,
} from "./errors.js";
export { Device } from "./device.js";
export { documentFormat, translateDocument, translateDocumentBytes } from "./documents.js";
export { describe, detectLanguages, deviceMemory, devices, Model, splitSentences } from "./model.js";
export { Glossary } from "./glossary.js";
export { TranslationMemory } from "./memory.js";
export { ALL_HEADS } from "./options.js";
export { Hypothesis, Sentence, Translation } from "./results.js";
export { bench, benchTokens, convert } from "./tools.js";
export { Translator } from "./translator.js";

/** Of the C library. */
export const version = native.version;
export const hasFeature = (name) => native.hasFeature(name);
export const features = () => native.features();

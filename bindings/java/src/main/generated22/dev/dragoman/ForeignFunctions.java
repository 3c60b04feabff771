// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** A class for each function, so that its handle is made when it is first called. */
class ForeignFunctions implements Functions {
    private static final class F0 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_version",
                FunctionDescriptor.of(JAVA_INT));
    }

    @Override
    public int dragoman_version() {
        try {
            return (int) F0.H.invokeExact();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F1 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_version_string",
                FunctionDescriptor.of(JAVA_LONG));
    }

    @Override
    public long dragoman_version_string() {
        try {
            return (long) F1.H.invokeExact();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F2 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_has_feature",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_has_feature(long name) {
        try {
            return (int) F2.H.invokeExact(name);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F3 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_feature_name",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_feature_name(long index) {
        try {
            return (long) F3.H.invokeExact(index);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F4 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_status_name",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
    }

    @Override
    public long dragoman_status_name(int status) {
        try {
            return (long) F4.H.invokeExact(status);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F5 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_last_error",
                FunctionDescriptor.of(JAVA_LONG));
    }

    @Override
    public long dragoman_last_error() {
        try {
            return (long) F5.H.invokeExact();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F6 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_set_log",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    }

    @Override
    public int dragoman_set_log(long callback, long user, int maxLevel) {
        try {
            return (int) F6.H.invokeExact(callback, user, maxLevel);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F7 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_logger_create",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_logger_create(long callback, long user, int maxLevel, long logger) {
        try {
            return (int) F7.H.invokeExact(callback, user, maxLevel, logger);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F8 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_logger_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_logger_destroy(long logger) {
        try {
            F8.H.invokeExact(logger);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F9 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_utf8_prefix",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_utf8_prefix(long text, long size) {
        try {
            return (long) F9.H.invokeExact(text, size);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F10 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_count",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_device_count(long count) {
        try {
            return (int) F10.H.invokeExact(count);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F11 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_describe",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_device_describe(int index, long info) {
        try {
            return (int) F11.H.invokeExact(index, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F12 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_memory",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_device_memory(int index, long info) {
        try {
            return (int) F12.H.invokeExact(index, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F13 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_device_options_init_sized(long options, long structSize) {
        try {
            return (int) F13.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F14 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_open",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_device_open(long options, long device) {
        try {
            return (int) F14.H.invokeExact(options, device);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F15 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_adopt",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_device_adopt(long device, long options, long adopted) {
        try {
            return (int) F15.H.invokeExact(device, options, adopted);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F16 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vulkan_wanted",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_vulkan_wanted(long device, long wanted) {
        try {
            return (int) F16.H.invokeExact(device, wanted);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F17 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_wanted_extension_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_wanted_extension_count(long wanted) {
        try {
            return (long) F17.H.invokeExact(wanted);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F18 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_wanted_extensions",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_wanted_extensions(long wanted) {
        try {
            return (long) F18.H.invokeExact(wanted);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F19 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_wanted_features",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_wanted_features(long wanted) {
        try {
            return (long) F19.H.invokeExact(wanted);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F20 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_wanted_device_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_wanted_device_destroy(long wanted) {
        try {
            F20.H.invokeExact(wanted);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F21 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_close",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_device_close(long device) {
        try {
            F21.H.invokeExact(device);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F22 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_get_info",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_device_get_info(long device, long info) {
        try {
            return (int) F22.H.invokeExact(device, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F23 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_get_memory",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_device_get_memory(long device, long info) {
        try {
            return (int) F23.H.invokeExact(device, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F24 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_trim",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_device_trim(long device) {
        try {
            return (int) F24.H.invokeExact(device);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F25 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_options_init_sized(long options, long structSize) {
        try {
            return (int) F25.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F26 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_load",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_load(long path, long options, long model) {
        try {
            return (int) F26.H.invokeExact(path, options, model);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F27 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_load_files",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_load_files(long files, long count, long options, long model) {
        try {
            return (int) F27.H.invokeExact(files, count, options, model);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F28 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_model_destroy(long model) {
        try {
            F28.H.invokeExact(model);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F29 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_get_info",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_get_info(long model, long info) {
        try {
            return (int) F29.H.invokeExact(model, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F30 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_describe",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_describe(long path, long info) {
        try {
            return (int) F30.H.invokeExact(path, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F31 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_describe_files",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_describe_files(long files, long count, long info) {
        try {
            return (int) F31.H.invokeExact(files, count, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F32 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_languages",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_model_languages(long model, int side, long languages) {
        try {
            return (int) F32.H.invokeExact(model, side, languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F33 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_describe_languages",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_model_describe_languages(long path, int side, long languages) {
        try {
            return (int) F33.H.invokeExact(path, side, languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F34 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_describe_languages_files",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_model_describe_languages_files(long files, long count, int side, long languages) {
        try {
            return (int) F34.H.invokeExact(files, count, side, languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F35 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_language_list_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_language_list_count(long languages) {
        try {
            return (long) F35.H.invokeExact(languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F36 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_language_list_data",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_language_list_data(long languages) {
        try {
            return (long) F36.H.invokeExact(languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F37 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_language_list_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_language_list_destroy(long languages) {
        try {
            F37.H.invokeExact(languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F38 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_device",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_device(long model, long info) {
        try {
            return (int) F38.H.invokeExact(model, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F39 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_memory",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_memory(long model, long info) {
        try {
            return (int) F39.H.invokeExact(model, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F40 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_glossary_load",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_glossary_load(long path, long sourceLanguage, long targetLanguage, long glossary) {
        try {
            return (int) F40.H.invokeExact(path, sourceLanguage, targetLanguage, glossary);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F41 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_glossary_read",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_glossary_read(long bytes, long sourceLanguage, long targetLanguage, long glossary) {
        try {
            return (int) F41.H.invokeExact(bytes, sourceLanguage, targetLanguage, glossary);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F42 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_glossary_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_glossary_destroy(long glossary) {
        try {
            F42.H.invokeExact(glossary);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F43 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_glossary_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_glossary_count(long glossary) {
        try {
            return (long) F43.H.invokeExact(glossary);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F44 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_options_init_sized(long options, long structSize) {
        try {
            return (int) F44.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F45 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_create",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_create(long options, long memory) {
        try {
            return (int) F45.H.invokeExact(options, memory);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F46 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_memory_destroy(long memory) {
        try {
            F46.H.invokeExact(memory);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F47 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_load_tmx",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_load_tmx(long memory, long path, long count) {
        try {
            return (int) F47.H.invokeExact(memory, path, count);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F48 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_read_tmx",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_read_tmx(long memory, long bytes, long count) {
        try {
            return (int) F48.H.invokeExact(memory, bytes, count);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F49 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_add",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_add(long memory, long sourceLanguage, long targetLanguage, long source, long target) {
        try {
            return (int) F49.H.invokeExact(memory, sourceLanguage, targetLanguage, source, target);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F50 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_write_tmx",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_write_tmx(long memory, long path) {
        try {
            return (int) F50.H.invokeExact(memory, path);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F51 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_clear",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_clear(long memory) {
        try {
            return (int) F51.H.invokeExact(memory);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F52 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_memory_stats",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_memory_stats(long memory, long counts) {
        try {
            return (int) F52.H.invokeExact(memory, counts);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F53 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_result_destroy(long result) {
        try {
            F53.H.invokeExact(result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F54 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_first",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_result_first(long result) {
        try {
            return (long) F54.H.invokeExact(result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F55 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_result_count(long result) {
        try {
            return (long) F55.H.invokeExact(result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F56 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_hypothesis_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_result_hypothesis_count(long result, long input) {
        try {
            return (long) F56.H.invokeExact(result, input);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F57 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_source_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_source_tokens(long result, long input, long tokens) {
        try {
            return (int) F57.H.invokeExact(result, input, tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F58 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_source_ranges",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_source_ranges(long result, long input, long ranges) {
        try {
            return (int) F58.H.invokeExact(result, input, ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F59 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_text",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_text(long result, long input, long hypothesis, long text) {
        try {
            return (int) F59.H.invokeExact(result, input, hypothesis, text);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F60 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_plain_source",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_plain_source(long result, long input, long text) {
        try {
            return (int) F60.H.invokeExact(result, input, text);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F61 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_plain_text",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_plain_text(long result, long input, long hypothesis, long text) {
        try {
            return (int) F61.H.invokeExact(result, input, hypothesis, text);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F62 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_tokens(long result, long input, long hypothesis, long tokens) {
        try {
            return (int) F62.H.invokeExact(result, input, hypothesis, tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F63 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_ranges",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_ranges(long result, long input, long hypothesis, long ranges) {
        try {
            return (int) F63.H.invokeExact(result, input, hypothesis, ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F64 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_score",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_score(long result, long input, long hypothesis, long score) {
        try {
            return (int) F64.H.invokeExact(result, input, hypothesis, score);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F65 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_quality",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_quality(long result, long input, long hypothesis, long quality) {
        try {
            return (int) F65.H.invokeExact(result, input, hypothesis, quality);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F66 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_attention",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_attention(long result, long input, long hypothesis, long attention) {
        try {
            return (int) F66.H.invokeExact(result, input, hypothesis, attention);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F67 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_sentence_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_result_sentence_count(long result, long input) {
        try {
            return (long) F67.H.invokeExact(result, input);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F68 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_sentence",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_sentence(long result, long input, long hypothesis, long sentence, long info) {
        try {
            return (int) F68.H.invokeExact(result, input, hypothesis, sentence, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F69 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_term_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_result_term_count(long result, long input, long hypothesis, long sentence) {
        try {
            return (long) F69.H.invokeExact(result, input, hypothesis, sentence);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F70 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_term",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_term(long result, long input, long hypothesis, long sentence, long index, long term) {
        try {
            return (int) F70.H.invokeExact(result, input, hypothesis, sentence, index, term);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F71 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_match_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_result_match_count(long result, long input, long sentence) {
        try {
            return (long) F71.H.invokeExact(result, input, sentence);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F72 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_match",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_match(long result, long input, long sentence, long index, long match) {
        try {
            return (int) F72.H.invokeExact(result, input, sentence, index, match);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F73 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_sentence_attention",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_sentence_attention(long result, long input, long hypothesis, long sentence,
            long attention) {
        try {
            return (int) F73.H.invokeExact(result, input, hypothesis, sentence, attention);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F74 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_source_words",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_source_words(long result, long input, long hypothesis, long sentence, long words) {
        try {
            return (int) F74.H.invokeExact(result, input, hypothesis, sentence, words);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F75 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_target_words",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_target_words(long result, long input, long hypothesis, long sentence, long words) {
        try {
            return (int) F75.H.invokeExact(result, input, hypothesis, sentence, words);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F76 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_word_quality",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_word_quality(long result, long input, long hypothesis, long sentence, long quality) {
        try {
            return (int) F76.H.invokeExact(result, input, hypothesis, sentence, quality);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F77 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_sentence_alignment",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_sentence_alignment(long result, long input, long hypothesis, long sentence,
            long alignment) {
        try {
            return (int) F77.H.invokeExact(result, input, hypothesis, sentence, alignment);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F78 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_result_pharaoh",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_result_pharaoh(long result, long input, long hypothesis, long links) {
        try {
            return (int) F78.H.invokeExact(result, input, hypothesis, links);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F79 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translator_create",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translator_create(long model, long translator) {
        try {
            return (int) F79.H.invokeExact(model, translator);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F80 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translator_create_route",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translator_create_route(long models, long count, long sourceLanguage, long targetLanguage,
            long translator) {
        try {
            return (int) F80.H.invokeExact(models, count, sourceLanguage, targetLanguage, translator);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F81 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_find_route",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_find_route(long models, long count, long sourceLanguage, long targetLanguage, long path,
            long length) {
        try {
            return (int) F81.H.invokeExact(models, count, sourceLanguage, targetLanguage, path, length);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F82 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translator_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_translator_destroy(long translator) {
        try {
            F82.H.invokeExact(translator);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F83 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translate_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translate_options_init_sized(long options, long structSize) {
        try {
            return (int) F83.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F84 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translate_texts",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translate_texts(long translator, long texts, long count, long prefixes, long options,
            long result) {
        try {
            return (int) F84.H.invokeExact(translator, texts, count, prefixes, options, result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F85 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translate_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translate_tokens(long translator, long sources, long count, long prefixes, long options,
            long result) {
        try {
            return (int) F85.H.invokeExact(translator, sources, count, prefixes, options, result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F86 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translator_stats",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translator_stats(long translator, long stats) {
        try {
            return (int) F86.H.invokeExact(translator, stats);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F87 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translator_reset_stats",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_translator_reset_stats(long translator) {
        try {
            return (int) F87.H.invokeExact(translator);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F88 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translator_trim",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_translator_trim(long translator) {
        try {
            return (int) F88.H.invokeExact(translator);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F89 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_score_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_score_options_init_sized(long options, long structSize) {
        try {
            return (int) F89.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F90 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_score_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_score_tokens(long translator, long sources, long targets, long count, long options,
            long scores) {
        try {
            return (int) F90.H.invokeExact(translator, sources, targets, count, options, scores);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F91 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_score_texts",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_score_texts(long translator, long sources, long targets, long count, long options,
            long scores) {
        try {
            return (int) F91.H.invokeExact(translator, sources, targets, count, options, scores);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F92 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_scores_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_scores_destroy(long scores) {
        try {
            F92.H.invokeExact(scores);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F93 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_scores_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_scores_count(long scores) {
        try {
            return (long) F93.H.invokeExact(scores);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F94 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_scores_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_scores_tokens(long scores, long pair, long tokens) {
        try {
            return (int) F94.H.invokeExact(scores, pair, tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F95 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_scores_log_probs",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_scores_log_probs(long scores, long pair, long logProbs) {
        try {
            return (int) F95.H.invokeExact(scores, pair, logProbs);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F96 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_scores_ranges",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_scores_ranges(long scores, long pair, long ranges) {
        try {
            return (int) F96.H.invokeExact(scores, pair, ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F97 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_detect_languages",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_detect_languages(long texts, long count, long expected, long languages) {
        try {
            return (int) F97.H.invokeExact(texts, count, expected, languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F98 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_detection_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_detection_destroy(long languages) {
        try {
            F98.H.invokeExact(languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F99 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_detection_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_detection_count(long languages) {
        try {
            return (long) F99.H.invokeExact(languages);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F100 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_detection_guess_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_detection_guess_count(long languages, long text) {
        try {
            return (long) F100.H.invokeExact(languages, text);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F101 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_detection_guess",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_detection_guess(long languages, long text, long index, long guess) {
        try {
            return (int) F101.H.invokeExact(languages, text, index, guess);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F102 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_embed_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_embed_options_init_sized(long options, long structSize) {
        try {
            return (int) F102.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F103 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_embed_texts",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_embed_texts(long model, long texts, long count, long options, long vectors) {
        try {
            return (int) F103.H.invokeExact(model, texts, count, options, vectors);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F104 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_vectors_destroy(long vectors) {
        try {
            F104.H.invokeExact(vectors);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F105 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_vectors_count(long vectors) {
        try {
            return (long) F105.H.invokeExact(vectors);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F106 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_width",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_vectors_width(long vectors) {
        try {
            return (long) F106.H.invokeExact(vectors);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F107 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_get",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_vectors_get(long vectors, long text, long rows) {
        try {
            return (int) F107.H.invokeExact(vectors, text, rows);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F108 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_all",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_vectors_all(long vectors, long rows) {
        try {
            return (int) F108.H.invokeExact(vectors, rows);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F109 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_vectors_tokens(long vectors, long text, long tokens) {
        try {
            return (int) F109.H.invokeExact(vectors, text, tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F110 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_vectors_ranges",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_vectors_ranges(long vectors, long text, long ranges) {
        try {
            return (int) F110.H.invokeExact(vectors, text, ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F111 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_options_init_sized(long options, long structSize) {
        try {
            return (int) F111.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F112 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_submit_texts",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_submit_texts(long translator, long texts, long count, long prefixes, long options,
            long jobOptions, long job) {
        try {
            return (int) F112.H.invokeExact(translator, texts, count, prefixes, options, jobOptions, job);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F113 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_submit_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_submit_tokens(long translator, long sources, long count, long prefixes, long options,
            long jobOptions, long job) {
        try {
            return (int) F113.H.invokeExact(translator, sources, count, prefixes, options, jobOptions, job);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F114 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_feed_texts",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_feed_texts(long job, long texts, long count, long prefixes, long timeoutMs, long taken) {
        try {
            return (int) F114.H.invokeExact(job, texts, count, prefixes, timeoutMs, taken);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F115 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_feed_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_feed_tokens(long job, long sources, long count, long prefixes, long timeoutMs,
            long taken) {
        try {
            return (int) F115.H.invokeExact(job, sources, count, prefixes, timeoutMs, taken);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F116 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_finish",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_job_finish(long job) {
        try {
            return (int) F116.H.invokeExact(job);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F117 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_next_result",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_next_result(long job, long timeoutMs, long result) {
        try {
            return (int) F117.H.invokeExact(job, timeoutMs, result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F118 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_job_destroy(long job) {
        try {
            F118.H.invokeExact(job);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F119 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_poll",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_poll(long job, long info) {
        try {
            return (int) F119.H.invokeExact(job, info);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F120 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_wait",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_wait(long job, long timeoutMs, long ended) {
        try {
            return (int) F120.H.invokeExact(job, timeoutMs, ended);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F121 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_cancel",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_job_cancel(long job) {
        try {
            return (int) F121.H.invokeExact(job);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F122 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_job_take_result",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_job_take_result(long job, long result) {
        try {
            return (int) F122.H.invokeExact(job, result);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F123 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_split_sentences",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_split_sentences(long text, long language, int joinLines, long ranges) {
        try {
            return (int) F123.H.invokeExact(text, language, joinLines, ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F124 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_range_list_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_range_list_destroy(long ranges) {
        try {
            F124.H.invokeExact(ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F125 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_range_list_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_range_list_count(long ranges) {
        try {
            return (long) F125.H.invokeExact(ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F126 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_range_list_data",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_range_list_data(long ranges) {
        try {
            return (long) F126.H.invokeExact(ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F127 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_tokenize",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_tokenize(long model, int side, long texts, long count, long tokens) {
        try {
            return (int) F127.H.invokeExact(model, side, texts, count, tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F128 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_token_lists_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_token_lists_destroy(long tokens) {
        try {
            F128.H.invokeExact(tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F129 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_token_lists_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_token_lists_count(long tokens) {
        try {
            return (long) F129.H.invokeExact(tokens);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F130 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_token_lists_get",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_token_lists_get(long tokens, long index, long sequence) {
        try {
            return (int) F130.H.invokeExact(tokens, index, sequence);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F131 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_token_lists_ranges",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_token_lists_ranges(long tokens, long index, long ranges) {
        try {
            return (int) F131.H.invokeExact(tokens, index, ranges);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F132 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_detokenize",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_detokenize(long model, int side, long sequences, long count, long texts) {
        try {
            return (int) F132.H.invokeExact(model, side, sequences, count, texts);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F133 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_text_list_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_text_list_destroy(long texts) {
        try {
            F133.H.invokeExact(texts);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F134 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_text_list_count",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    }

    @Override
    public long dragoman_text_list_count(long texts) {
        try {
            return (long) F134.H.invokeExact(texts);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F135 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_text_list_get",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_text_list_get(long texts, long index, long text) {
        try {
            return (int) F135.H.invokeExact(texts, index, text);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F136 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_convert_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_convert_options_init_sized(long options, long structSize) {
        try {
            return (int) F136.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F137 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_model_convert",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_model_convert(long path, long outPath, long options) {
        try {
            return (int) F137.H.invokeExact(path, outPath, options);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F138 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_bench_options_init_sized",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_bench_options_init_sized(long options, long structSize) {
        try {
            return (int) F138.H.invokeExact(options, structSize);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F139 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_bench_texts",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_bench_texts(long path, long modelOptions, long texts, long count, long options,
            long benchOptions, long report) {
        try {
            return (int) F139.H.invokeExact(path, modelOptions, texts, count, options, benchOptions, report);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F140 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_bench_tokens",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_bench_tokens(long path, long modelOptions, long sources, long count, long options,
            long benchOptions, long report) {
        try {
            return (int) F140.H.invokeExact(path, modelOptions, sources, count, options, benchOptions, report);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F141 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_device_check",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_device_check(long device, long report) {
        try {
            return (int) F141.H.invokeExact(device, report);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F142 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_report_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_report_destroy(long report) {
        try {
            F142.H.invokeExact(report);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F143 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_report_json",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_report_json(long report, long json) {
        try {
            return (int) F143.H.invokeExact(report, json);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}

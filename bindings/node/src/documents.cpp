// SPDX-License-Identifier: Apache-2.0
// Documents.
#include <dragoman/documents.h>

#include "addon.h"
#include "watch.h"

namespace addon {
namespace {

void check_document(dragoman_status status) {
    if (status != DRAGOMAN_OK) throw Failure{dragoman_status_name(status), dragoman_document_error()};
}

// The arguments of both functions below: (translator, ..., options, {format, resume}, watch)
struct Call {
    Shared<dragoman_translator> translator;
    TranslateOptions options;
    std::optional<std::string> format, resume;
    std::shared_ptr<Watch> watch;
    dragoman_document_options document;

    Call(napi_env env, napi_value translator, napi_value options, napi_value how, napi_value watch)
        : translator(handle<dragoman_translator>(env, translator)), options(env, options),
          format(read_path(env, get(env, how, "format"))), resume(read_path(env, get(env, how, "resume"))),
          watch(read_watch(env, watch)) {
        dragoman_document_options_init(&document);
        document.resume = c_path(resume);
        document.progress = Watch::progress;
        document.user = this->watch.get();
        if (!format) return;
        document.format = dragoman_document_format_named(format->c_str());
        if (document.format == DRAGOMAN_DOCUMENT_UNKNOWN)
            throw Failure{"invalid_argument", "format is '" + *format + "': there is no such format of documents"};
    }
};

// translateDocument(translator, path, path of the file, options, document options, watch): promise
napi_value translate_document(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<6> arguments(env, info);
        auto call = std::make_shared<Call>(env, arguments[0], arguments[3], arguments[4], arguments[5]);
        return watched<bool>(
            env, call->watch,
            [call, path = read_path(env, arguments[1]), out = read_path(env, arguments[2])] {
                check_document(dragoman_translate_document(call->translator.get(), c_path(path), c_path(out),
                                                           &call->options.value, &call->document));
                return true;
            },
            [](napi_env env, bool&) { return undefined(env); });
    });
}

// translateDocumentBytes(translator, name, Uint8Array, options, document options, watch): promise of a Buffer
napi_value translate_bytes(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<6> arguments(env, info);
        auto call = std::make_shared<Call>(env, arguments[0], arguments[3], arguments[4], arguments[5]);
        return watched<Shared<dragoman_document>>(
            env, call->watch,
            [call, name = read_string(env, arguments[1], "name"), bytes = read_bytes(env, arguments[2], "content")] {
                dragoman_document* document = nullptr;
                check_document(dragoman_translate_document_bytes(call->translator.get(), name.c_str(), bytes.data(),
                                                                 bytes.size(), &call->options.value, &call->document,
                                                                 &document));
                return Shared<dragoman_document>(document, dragoman_document_destroy);
            },
            [](napi_env env, Shared<dragoman_document>& document) {
                const dragoman_string bytes = dragoman_document_bytes(document.get());
                napi_value buffer;
                check(env, napi_create_buffer_copy(env, bytes.size, bytes.data, nullptr, &buffer));
                return buffer;
            });
    });
}

// documentFormat(name, Uint8Array): the format's name, or null
napi_value document_format(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<2> arguments(env, info);
        const std::string name = read_string(env, arguments[0], "name");
        const std::string bytes = read_bytes(env, arguments[1], "content");
        const int32_t format = dragoman_document_format(name.c_str(), bytes.data(), bytes.size());
        napi_value none;
        check(env, napi_get_null(env, &none));
        return format ? string(env, std::string_view(dragoman_document_format_name(format))) : none;
    });
}

}  // namespace

void add_documents(napi_env env, napi_value exports) {
    add(env, exports, "documentFormat", document_format);
    add(env, exports, "translateDocument", translate_document);
    add(env, exports, "translateDocumentBytes", translate_bytes);
}

}  // namespace addon

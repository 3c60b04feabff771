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

// A function of JavaScript that a worker's thread tells how far it is.
class Listener {
public:
    Listener(napi_env env, napi_value function) {
        if (absent(env, function)) return;
        check(env, napi_create_threadsafe_function(env, function, nullptr, string(env, std::string_view("dragoman")), 0,
                                                   1, nullptr, nullptr, nullptr, deliver, &queue_));
    }
    Listener(const Listener&) = delete;
    ~Listener() {
        if (queue_) napi_release_threadsafe_function(queue_, napi_tsfn_release);
    }
    void tell(std::size_t done, std::size_t total) {
        if (!queue_ || (done == done_ && total > 0)) return;
        done_ = done;
        auto counts = std::make_unique<Counts>(Counts{done, total});
        const napi_status status = napi_call_threadsafe_function(queue_, counts.get(), napi_tsfn_nonblocking);
        if (status == napi_ok) counts.release();
        if (status == napi_closing) queue_ = nullptr;  // it is no longer ours
    }

private:
    using Counts = std::pair<std::size_t, std::size_t>;
    static void deliver(napi_env env, napi_value function, void*, void* data) {
        const std::unique_ptr<Counts> counts(static_cast<Counts*>(data));
        if (!env) return;  // the program ends
        guard(env, [&] {
            const napi_value given[] = {number(env, double(counts->first)), number(env, double(counts->second))};
            napi_value result;
            check(env, napi_call_function(env, undefined(env), function, 2, given, &result));
            return nullptr;
        });
    }
    napi_threadsafe_function queue_ = nullptr;
    std::size_t done_ = SIZE_MAX;
};

// What both functions below take: (translator, ..., options, {format, resume, progress}, watch)
struct Call {
    Shared<dragoman_translator> translator;
    TranslateOptions options;
    std::optional<std::string> format, resume;
    Listener listener;
    std::shared_ptr<Watch> watch;
    dragoman_document_options document;

    Call(napi_env env, napi_value translator, napi_value options, napi_value how, napi_value watch)
        : translator(handle<dragoman_translator>(env, translator)), options(env, options),
          format(read_path(env, get(env, how, "format"))), resume(read_path(env, get(env, how, "resume"))),
          listener(env, get(env, how, "progress")), watch(read_watch(env, watch)) {
        dragoman_document_options_init(&document);
        document.resume = c_path(resume);
        document.user = this;
        document.progress = [](std::size_t done, std::size_t total, void* user) {
            auto& call = *static_cast<Call*>(user);
            call.listener.tell(done, total);
            return Watch::progress(done, total, call.watch.get());
        };
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

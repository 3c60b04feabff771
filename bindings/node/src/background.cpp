// SPDX-License-Identifier: Apache-2.0
#include "background.h"

#include <set>

#include "handle.h"

namespace addon {
namespace {

// Calls of one program or worker whose end was not delivered.
using Running = std::set<Background*>;

Running& running(napi_env env) {
    void* data = nullptr;
    check(env, napi_get_instance_data(env, &data));
    return *static_cast<Running*>(data);
}

// At the end of a worker, and of a program whose work is done; before Node ends the event queue.
void leave_one(void* data) { static_cast<Background*>(data)->leave(); }

struct BackgroundHolder : Holder {
    static constexpr std::string_view kName = "background";
    std::weak_ptr<Background> call;
    explicit BackgroundHolder(const std::shared_ptr<Background>& shared) : Holder(kName), call(shared) {}
};

napi_value handle_of(napi_env env, const std::shared_ptr<Background>& call) {
    auto made = std::make_unique<BackgroundHolder>(call);
    napi_value value;
    check(env, napi_create_external(
                   env, static_cast<Holder*>(made.get()),
                   [](napi_env, void* data, void*) { delete static_cast<Holder*>(data); }, nullptr, &value));
    made.release();
    return value;
}

napi_value progress_value(napi_env env, const Background::Progress& progress) {
    const napi_value value = object(env);
    set(env, value, "model", string(env, std::string_view(progress.model)));
    set(env, value, "file", string(env, std::string_view(progress.file)));
    set(env, value, "note", string(env, std::string_view(progress.note)));
    set(env, value, "doneBytes", number(env, progress.done));
    set(env, value, "totalBytes", number(env, progress.total));
    return value;
}

}  // namespace

napi_value Background::start(napi_env env, napi_value on_progress, Run run, Result result) {
    const auto call = std::make_shared<Background>(std::move(run), std::move(result));
    napi_value promise, pair;
    check(env, napi_create_promise(env, &call->deferred_, &promise));
    check(env, napi_create_array_with_length(env, 2, &pair));
    check(env, napi_set_element(env, pair, 0, promise));
    check(env, napi_set_element(env, pair, 1, handle_of(env, call)));
    const napi_value name = string(env, std::string_view("dragoman"));
    const napi_value told = absent(env, on_progress) ? nullptr : on_progress;
    const auto forget = [](napi_env, void* data, void*) {
        const std::shared_ptr<Background> last = std::move(static_cast<Background*>(data)->self_);
    };
    check(env, napi_create_threadsafe_function(env, told, nullptr, name, 0, 1, call.get(), forget, call.get(), deliver,
                                               &call->events_));
    call->self_ = call;
    try {
        check(env, napi_add_env_cleanup_hook(env, leave_one, call.get()));
        running(env).insert(call.get());
        call->thread_ = std::thread([call = call.get()] { call->work(); });
    } catch (...) {
        napi_remove_env_cleanup_hook(env, leave_one, call.get());
        running(env).erase(call.get());
        napi_release_threadsafe_function(call->events_, napi_tsfn_abort);
        throw;
    }
    return pair;
}

void Background::work() noexcept {
    try {
        run_(*this);
    } catch (const Failure& failure) {
        failed_ = failure;
    } catch (const std::exception& error) {
        failed_ = Failure{"internal", error.what()};
    }
    napi_call_threadsafe_function(events_, this, napi_tsfn_nonblocking);
    napi_release_threadsafe_function(events_, napi_tsfn_release);
}

void Background::tell(Progress progress) {
    const std::lock_guard lock(mutex_);
    const bool waits = latest_.has_value();  // JavaScript has not come to the one before, and gets this one instead
    latest_ = std::move(progress);
    if (!waits) napi_call_threadsafe_function(events_, nullptr, napi_tsfn_nonblocking);
}

void Background::leave() {
    stop();
    if (thread_.joinable()) thread_.join();
}

// On JavaScript's thread. `data`: the call itself, at its end; null: there is progress.
void Background::deliver(napi_env env, napi_value callback, void* context, void* data) {
    auto* call = static_cast<Background*>(context);
    if (!env) return;  // the program ends
    guard(env, [&] {
        if (data) {
            call->end(env);
            return nullptr;
        }
        std::optional<Progress> progress;
        {
            const std::lock_guard lock(call->mutex_);
            progress.swap(call->latest_);
        }
        if (!progress || !callback) return nullptr;
        napi_value value = progress_value(env, *progress), result;
        check(env, napi_call_function(env, undefined(env), callback, 1, &value, &result));
        return nullptr;
    });
}

void Background::end(napi_env env) {
    napi_remove_env_cleanup_hook(env, leave_one, this);
    running(env).erase(this);
    if (thread_.joinable()) thread_.join();  // at once: this is the last that it sent
    try {
        if (failed_) throw *failed_;
        check(env, napi_resolve_deferred(env, deferred_, result_(env)));
    } catch (const Failure& failure) {
        check(env, napi_reject_deferred(env, deferred_, error(env, failure)));
    }
}

napi_value stop_background(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const napi_value value = Arguments<1>(env, info)[0];
        void* data = nullptr;
        if (type_of(env, value) != napi_external) wrong_type("call", "a call");
        check(env, napi_get_value_external(env, value, &data));
        if (static_cast<Holder*>(data)->name != BackgroundHolder::kName) wrong_type("call", "a call");
        if (const auto call = static_cast<BackgroundHolder*>(static_cast<Holder*>(data))->call.lock()) call->stop();
        return undefined(env);
    });
}

napi_value leave_background(napi_env env, napi_callback_info) {
    return guard(env, [&] {
        for (Background* call : running(env)) call->stop();
        for (Background* call : running(env)) call->leave();
        return undefined(env);
    });
}

void init_background(napi_env env) {
    auto data = std::make_unique<Running>();
    check(env, napi_set_instance_data(
                   env, data.get(), [](napi_env, void* data, void*) { delete static_cast<Running*>(data); }, nullptr));
    data.release();
}

}  // namespace addon

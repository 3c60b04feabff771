// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "serve/http/exchange.h"
#include "serve/problem.h"
#include "serve/services.h"
#include "serve/work/translations.h"

// Server-sent events, as all interfaces with streams send them.
namespace serve::api {

http::Response event_stream_head();

// An event with a line of data for each line of the text. `name` "": without one.
std::string event_text(std::string_view name, std::string_view data);

// How a stream learns of its translation.
struct StreamedTranslation {
    work::Translations::OnEvent on_event;          // on any thread
    std::function<void(work::Answer)> finish;  // on a worker thread, as is `fail`; what it throws becomes a problem
    std::function<void(const Problem&)> fail;
};

// Translates what was charged, and stops when the exchange's client goes. Throws Problem for what is wrong with the
// request itself; nothing is called then.
void translate_events(Services& services, const std::shared_ptr<http::Exchange>& exchange, work::Ask ask,
                      StreamedTranslation stream);

}  // namespace serve::api

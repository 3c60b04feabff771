// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/router.h"
#include "serve/services.h"

namespace serve::api {

// Puts sentences, which are done in any order, behind one another as they stand in their texts.
class SentenceOrder {
public:
    SentenceOrder(std::vector<std::string> texts, std::string separator);
    // A sentence is done: what follows of the whole now; may be empty.
    std::string add(const work::Event& event);
    // What is still to come of the texts' translations, joined by the separator. Throws Problem (failed) where they do
    // not begin with what was given before.
    std::string rest(const std::vector<std::string>& translations) const;

private:
    struct Sentence {
        std::size_t begin, end;
        std::string text;
    };
    std::vector<std::string> texts_;
    std::string separator_, given_;
    std::map<std::pair<std::size_t, std::size_t>, Sentence> waiting_;
    std::size_t input_ = 0, sentence_ = 0, end_ = 0;  // the next sentence; where the last one ended
};

// How a service writes an answer of server-sent events.
struct SentenceForm {
    std::function<std::string(std::string_view)> piece;  // of a piece of text
    std::function<std::string()> begin;  // before the first one; null: nothing
    std::function<std::string(const work::Answer&)> end;  // behind the last one; null: nothing
    std::function<std::string(const Problem&)> problem;  // where something was sent before
    std::function<std::vector<std::string>(const work::Answer&)> translations;  // empty: as the answer has them
    std::string separator;  // between texts
    bool in_order = true;  // false: nothing is sent before all is done
};

// The answer to one client while its translation is under way. Any thread. What a slow reader has no room for comes
// later.
class SentenceStream {
public:
    SentenceStream(std::shared_ptr<http::Exchange> exchange, const std::vector<std::string>& texts, SentenceForm form,
                   ErrorForm error)
        : exchange_(std::move(exchange)), order_(texts, form.separator), form_(std::move(form)), error_(error) {}
    void event(const work::Event& event);
    void finish(const work::Answer& answer);  // throws Problem, see SentenceOrder::rest()
    void fail(const Problem& problem);

private:
    // With the lock.
    void add(std::string piece);
    void send(std::string piece);
    void close(std::string piece);

    std::shared_ptr<http::Exchange> exchange_;
    std::mutex mutex_;
    SentenceOrder order_;
    SentenceForm form_;
    ErrorForm error_;
    std::string waiting_;  // what the client had no room for
    bool begun_ = false, ended_ = false;
};

// As Services::translate(), with the sentences sent as soon as they and those before them are done. A problem before
// the first one is an ordinary answer in `error`. A client that reads nothing loses its connection.
void translate_streamed(Services& services, const Call& call, work::Ask ask, ErrorForm error, SentenceForm form);

}  // namespace serve::api

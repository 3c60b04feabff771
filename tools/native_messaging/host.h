// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>

#include "native_messaging/request.h"
#include "serve/work/models.h"
#include "serve/work/translations.h"
#include "serve/work/worker.h"

namespace native_messaging {

struct HostOptions {
    bool offline = false;            // no lists of publishers, no downloads
    std::size_t most_at_work = 512;  // requests; further ones stay in the pipe until some are answered
};

// Answers the requests of one client, in any order, until its input ends.
class Host {
public:
    Host(serve::work::Models& models, serve::work::Translations& translations, std::ostream& out,
         const HostOptions& options);
    ~Host();  // waits until all answers are out; nobody gets a model that is still on its way
    // False: the input ended within a message, or was none.
    bool run(std::istream& in);

private:
    struct Step;
    void handle(const std::string& text);
    void start(const Json& id, const Translate& asked);
    void submit(std::shared_ptr<Step> step);
    void done(const std::shared_ptr<Step>& step, const serve::work::Answer& answer);
    serve::work::Ask ask_of(const Translate& asked) const;
    void name_languages(serve::work::Ask& ask, const std::string& model) const;
    void start(const Json& id, const ListModels& asked);
    void start(const Json& id, const DownloadModel& asked);
    Json list(bool include_remote) const;
    Json download(const Json& id, const std::string& model);

    void answer(const Json& id, Json data);
    void fail(const Json& id, const std::string& why);
    void send(const Json& message, bool last);  // `last`: the request is at work no more
    void begin();

    serve::work::Models& models_;
    serve::work::Translations& translations_;
    std::ostream& out_;
    const HostOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t at_work_ = 0;
    std::atomic<bool> ended_ = false;  // the client has gone
    std::map<const Step*, std::shared_ptr<Step>> steps_;  // translations under way
    serve::work::Worker writer_;     // of messages: nobody waits for a client that reads slowly
    serve::work::Worker network_;    // lists and downloads
};

}  // namespace native_messaging

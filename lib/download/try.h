// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <string>

#include "download/receiver.h"

namespace dragoman::download {

using Clock = std::chrono::steady_clock;

struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// One request on the wire: an attempt at one address. Belongs to libcurl's multi handle between its two ends.
class Try {
public:
    Try(CURLM* multi, const Request& request, const Url& url, bool with_secrets, Receiver& receiver,
        const Settings& settings);
    ~Try();
    Try(const Try&) = delete;
    Try& operator=(const Try&) = delete;

    CURL* easy() const { return easy_.get(); }
    const Answer& answer() const { return answer_; }
    // What the receiver said of the head; it may also have thrown.
    Next next() const { return next_; }
    bool stopped() const { return stopped_; }  // by us, before the answer's end
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }
    bool silent_for(double seconds) const;
    bool paused() const { return paused_; }
    void resume();
    std::string error_text(CURLcode code) const;
    // What may be wrong with a server's certificate that is not taken.
    const char* certificate_hint() const;

private:
    void set_options(const Url& url, const Settings& settings);
    void set_lines(const Request& request, const Url& url, bool with_secrets);
    std::size_t head_line(std::string_view line);
    std::size_t body(std::span<const std::byte> bytes);
    static std::size_t on_head(char* data, std::size_t size, std::size_t count, void* self);
    static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);

    CURLM* multi_;
    Receiver& receiver_;
    std::unique_ptr<CURL, FreeEasy> easy_;
    std::unique_ptr<curl_slist, FreeList> lines_;
    std::array<char, CURL_ERROR_SIZE> error_{};
    Answer answer_;
    bool takes_body_ = false, stopped_ = false, paused_ = false;
    std::size_t unread_ = 0;
    Next next_ = Next::go_on;
    std::exception_ptr failure_;
    Clock::time_point last_byte_ = Clock::now();
};

// Whether another try may do better.
bool may_pass(CURLcode code);

}  // namespace dragoman::download

// SPDX-License-Identifier: Apache-2.0
#include "download/exchange.h"

#include <curl/curl.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "download/try.h"

namespace dragoman::download {
namespace {

constexpr int kMostRedirects = 10;
constexpr auto kTick = std::chrono::milliseconds(100);
constexpr int kTriesOfNames = 2;  // a host that is not found is seldom found later

struct Job {
    explicit Job(const Asked& asked) : request(*asked.request), receiver(*asked.receiver), url(request.url) {}

    const Request& request;
    Receiver& receiver;
    Url url;
    bool with_secrets = true;  // no redirect has led to another place
    int redirects = 0, tried = 0;
    uint64_t furthest = 0, reported = 0;
    Clock::time_point not_before{};
    std::unique_ptr<Try> attempt;
    bool settling = false, done = false;

    bool waits() const { return !done && !settling && !attempt; }
};

class Exchange {
public:
    Exchange(CURLM* multi, const std::vector<Asked>& asked, const Settings& settings, int parallel,
             const ProgressFn& progress)
        : multi_(multi), settings_(settings), parallel_(std::max(1, parallel)), progress_(progress) {
        for (const Asked& one : asked) jobs_.push_back(std::make_unique<Job>(one));
    }

    void run() {
        while (true) {
            start();
            int running = 0;
            if (curl_multi_perform(multi_, &running) != CURLM_OK) fail(Status::internal, "libcurl: cannot go on");
            read_messages();
            for (const auto& job : jobs_) look_after(*job);
            if (std::ranges::all_of(jobs_, [](const auto& job) { return job->done; })) break;
            tell();
            curl_multi_poll(multi_, nullptr, 0, wait_milliseconds(), nullptr);
        }
        tell(true);
    }

private:
    std::ptrdiff_t at_work() const {
        return std::ranges::count_if(jobs_, [](const auto& job) { return job->attempt || job->settling; });
    }

    void start() {
        auto running = at_work();
        for (const auto& job : jobs_) {
            if (running >= parallel_) return;
            if (!job->waits() || job->not_before > Clock::now()) continue;
            if (job->receiver.complete()) settle(*job);
            else
                job->attempt = std::make_unique<Try>(multi_, job->request, job->url, job->with_secrets, job->receiver,
                                                     settings_);
            ++running;
        }
    }

    void settle(Job& job) {
        job.attempt.reset();
        job.settling = true;
    }

    void read_messages() {
        for (int left = 0; const CURLMsg* message = curl_multi_info_read(multi_, &left);) {
            if (message->msg != CURLMSG_DONE) continue;
            const CURLcode code = message->data.result;
            const auto job = std::ranges::find_if(jobs_, [&](const auto& one) {
                return one->attempt && one->attempt->easy() == message->easy_handle;
            });
            if (job != jobs_.end()) ended(**job, code);
        }
    }

    void ended(Job& job, CURLcode code) {
        const std::unique_ptr<Try> attempt = std::move(job.attempt);
        attempt->rethrow();
        forgive(job);
        const Answer& answer = attempt->answer();
        const bool whole = code == CURLE_OK || attempt->stopped();
        if (whole && attempt->next() == Next::done) return settle(job);
        if (whole && attempt->next() == Next::again) return again(job, "an answer that does not fit", {});
        if (whole && answer.redirects()) return follow(job, answer);
        if (whole && answer.good()) {
            if (job.receiver.ended() == Next::done) return settle(job);
            return again(job, "a connection that was cut", {});
        }
        if (whole) return answered_badly(job, answer);
        const std::string why = code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING ? "a connection that was cut"
                                                                                        : attempt->error_text(code);
        const bool name = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY;
        const int most = name ? std::min(kTriesOfNames, settings_.attempts) : settings_.attempts;
        if (!may_pass(code) || job.tried + 1 >= most)
            give_up(job, why, code == CURLE_PEER_FAILED_VERIFICATION ? attempt->certificate_hint() : hint(code));
        again(job, why, {});
    }

    // Tries count from where it got on.
    static void forgive(Job& job) {
        if (job.receiver.done_bytes() > job.furthest) job.tried = 0;
        job.furthest = std::max(job.furthest, job.receiver.done_bytes());
    }

    void follow(Job& job, const Answer& answer) {
        if (++job.redirects > kMostRedirects)
            fail(Status::io_error, "{}: more than {} redirects, the last one to {}", Url(job.request.url).shown(),
                 kMostRedirects, job.url.shown());
        Url next = job.url.redirected(answer.header("location"));
        job.with_secrets = job.with_secrets && next.same_place(job.url);
        job.url = std::move(next);
    }

    void answered_badly(Job& job, const Answer& answer) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const auto wait = answer.retry_after(std::chrono::duration_cast<std::chrono::seconds>(now).count());
        // Whoever is asked to come back in an hour is told so now; asking sooner is what the server forbids.
        const bool too_long = wait && *wait > settings_.longest_wait_seconds;
        if (!answer.may_pass() || too_long || job.tried + 1 >= settings_.attempts)
            refuse_answer(job.request, job.url, answer, job.tried + 1);
        again(job, std::to_string(answer.status), wait);
    }

    static const char* hint(CURLcode code) {
        switch (code) {
            case CURLE_COULDNT_RESOLVE_HOST:
            case CURLE_COULDNT_RESOLVE_PROXY:
            case CURLE_COULDNT_CONNECT: return "is there a network, and does it want a proxy (https_proxy)?";
            case CURLE_SSL_CACERT_BADFILE:
                return "what CURL_CA_BUNDLE, SSL_CERT_FILE or SSL_CERT_DIR names cannot be read";
            default: return "what has come stays, and the next call goes on";
        }
    }

    [[noreturn]] static void give_up(const Job& job, const std::string& why, const char* what_to_do) {
        fail(Status::io_error, "{}: {} ({} tries); {}", job.url.shown(), why, job.tried + 1, what_to_do);
    }

    // Once more, from the address that was asked for: where a redirect led may have been for a while only.
    void again(Job& job, const std::string& why, std::optional<double> server_says) {
        if (job.tried + 1 >= settings_.attempts) give_up(job, why, hint(CURLE_OK));
        ++job.tried;
        // A date that has passed, by a clock that jumped or not, is no reason to ask at once.
        const double own = settings_.first_wait_seconds * std::pow(2.0, job.tried - 1);
        const double wait = std::max(std::min(own, settings_.longest_wait_seconds), server_says.value_or(0));
        job.not_before = Clock::now() +
                         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wait));
        job.url = Url(job.request.url);
        job.with_secrets = true;
        job.redirects = 0;
        report(job, fmt::format("tries again after {}, in {:.1f} s", why, wait));
    }

    void look_after(Job& job) {
        job.receiver.idle();
        if (job.attempt && job.attempt->paused() && job.receiver.has_room()) job.attempt->resume();
        if (job.attempt && job.attempt->silent_for(settings_.stall_seconds)) {
            job.attempt.reset();
            forgive(job);
            again(job, fmt::format("{:.0f} s without a byte", settings_.stall_seconds), {});
        }
        if (!job.settling || !job.receiver.settled()) return;
        job.receiver.finish();
        job.settling = false;
        job.done = true;
    }

    void tell(bool last = false) {
        if (!progress_ || (!last && Clock::now() - told_ < kTick)) return;
        const Job* moved = nullptr;
        for (const auto& job : jobs_) {
            const uint64_t bytes = job->receiver.done_bytes();
            if (bytes != job->reported || !moved) moved = job.get();
            job->reported = bytes;
        }
        if (moved) report(*moved, {});
    }

    void report(const Job& job, std::string note) {
        if (!progress_) return;
        told_ = Clock::now();
        Progress now{.file = job.receiver.name(), .note = std::move(note)};
        bool known = true;
        for (const auto& one : jobs_) {
            now.done_bytes += one->receiver.done_bytes();
            now.total_bytes += one->receiver.total_bytes();
            known = known && one->receiver.total_bytes() > 0;
        }
        if (!known) now.total_bytes = 0;
        if (!progress_(now))
            fail(Status::cancelled, "the download was stopped; what has come stays, the next call goes on");
    }

    int wait_milliseconds() const {
        std::chrono::milliseconds wait = kTick;
        if (at_work() >= parallel_) return static_cast<int>(wait.count());
        for (const auto& job : jobs_) {
            if (!job->waits()) continue;
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(job->not_before - Clock::now());
            wait = std::clamp(left, std::chrono::milliseconds(0), wait);
        }
        return static_cast<int>(wait.count());
    }

    CURLM* multi_;
    const Settings& settings_;
    const int parallel_;
    const ProgressFn& progress_;
    std::vector<std::unique_ptr<Job>> jobs_;
    Clock::time_point told_ = Clock::now();
};

CURLM* new_multi() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    CURLM* const multi = curl_multi_init();
    if (!multi) fail(Status::out_of_memory, "libcurl gives no handle");
    return multi;
}

}  // namespace

Waker::Waker() : multi_(new_multi()) {}
Waker::~Waker() { curl_multi_cleanup(multi_); }
void Waker::wake() const { curl_multi_wakeup(multi_); }

void exchange(const Waker& waker, const std::vector<Asked>& asked, const Settings& settings, int parallel,
              const ProgressFn& progress) {
    Exchange(waker.multi(), asked, settings, parallel, progress).run();
}

}  // namespace dragoman::download

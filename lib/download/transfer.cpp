// SPDX-License-Identifier: Apache-2.0
#include "download/transfer.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/os/path_text.h"
#include "download/exchange.h"
#include "download/partial_file.h"

namespace dragoman::download {
namespace {

class TextReceiver : public Receiver {
public:
    TextReceiver(const Url& url, uint64_t most_bytes) : url_(url), most_bytes_(most_bytes) {}

    std::vector<std::string> request_lines() override { return {}; }
    bool may_be_packed() const override { return true; }

    Next answered(const Answer& answer) override {
        if (answer.status == 416)
            fail(Status::io_error, "{}: the server answered 416 to a request for all", url_.shown());
        text_ = {.body = "", .headers = answer.headers};
        total_ = answer.headers.contains("content-encoding") ? 0 : answer.length().value_or(0);
        return Next::go_on;
    }

    void take(std::span<const std::byte> bytes) override {
        if (text_.body.size() + bytes.size() > most_bytes_)
            fail(Status::io_error, "{}: expected at most {} bytes, the server sends more", url_.shown(), most_bytes_);
        text_.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    Next ended() override { return Next::done; }
    std::string name() const override { return url_.shown(); }
    uint64_t done_bytes() const override { return text_.body.size(); }
    uint64_t total_bytes() const override { return total_; }

    Text text_;

private:
    const Url& url_;
    const uint64_t most_bytes_;
    uint64_t total_ = 0;
};

class FileReceiver : public Receiver {
public:
    FileReceiver(const FileRequest& request, const Waker& waker)
        : request_(request), file_(request, [&waker] { waker.wake(); }) {}

    bool complete() const override { return file_.whole(); }

    std::vector<std::string> request_lines() override {
        auto lines = file_.range();
        ranged_ = !lines.empty();
        return lines;
    }

    Next answered(const Answer& answer) override {
        const ContentRange range = ContentRange::parse(answer.header("content-range"));
        if (answer.status == 416) {
            if (range.total == file_.have() && file_.have() > 0) return Next::done;
            return from_the_start();
        }
        if (answer.status == 206) {
            const bool fits = ranged_ && range.begin == file_.have() &&
                              (!range.total || file_.total() == 0 || *range.total == file_.total());
            if (!fits) return from_the_start();
            file_.go_on(answer);
            return Next::go_on;
        }
        if (answer.status != 200)
            fail(Status::io_error, "{}: expected 200, the server answered {}", Url(request_.url).shown(),
                 answer.status);
        file_.begin_anew(answer);
        return Next::go_on;
    }

    bool has_room() override { return file_.has_room(); }
    void take(std::span<const std::byte> bytes) override { file_.add(bytes); }
    Next ended() override { return file_.total() > 0 && file_.have() < file_.total() ? Next::again : Next::done; }

    bool settled() override {
        if (!all_came_) file_.end();
        all_came_ = true;
        return file_.hashed();
    }

    void finish() override { result_ = file_.result(); }
    void idle() override { file_.flush_if_old(); }
    std::string name() const override { return text_of(request_.partial.filename()); }
    uint64_t done_bytes() const override { return file_.have(); }
    uint64_t total_bytes() const override { return file_.total(); }
    const FileResult& result() const { return result_; }

private:
    Next from_the_start() {
        file_.drop();
        return Next::again;
    }

    const FileRequest& request_;
    PartialFile file_;
    FileResult result_;
    bool ranged_ = false, all_came_ = false;
};

void make_folder_of(const std::filesystem::path& file) {
    std::error_code error;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
    if (error) fail(Status::io_error, "cannot make the folder {}: {}", text_of(file.parent_path()), error.message());
}

}  // namespace

Text get_text(const Request& request, const Settings& settings, const ProgressFn& progress) {
    const Url url(request.url);
    const Waker waker;
    TextReceiver receiver(url, settings.most_text_bytes);
    exchange(waker, {{&request, &receiver}}, settings, 1, progress);
    return std::move(receiver.text_);
}

std::vector<FileResult> get_files(const std::vector<FileRequest>& requests, const Settings& settings, int parallel,
                                  const ProgressFn& progress) {
    const Waker waker;
    std::vector<std::unique_ptr<FileReceiver>> receivers;
    std::vector<Asked> asked;
    for (const FileRequest& request : requests) {
        make_folder_of(request.partial);
        receivers.push_back(std::make_unique<FileReceiver>(request, waker));
        asked.push_back({&request, receivers.back().get()});
    }
    exchange(waker, asked, settings, parallel, progress);
    std::vector<FileResult> results;
    for (const auto& receiver : receivers) results.push_back(receiver->result());
    return results;
}

}  // namespace dragoman::download

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "serve/http/body.h"
#include "serve/http/head_scanner.h"
#include "serve/http/hub.h"
#include "serve/http/refusal.h"
#include "serve/http/transaction.h"
#include "serve/http/transport.h"

namespace serve::http {

// A client's connection; the I/O thread's alone. Requests are read one after the other and handled at the same time; their
// answers go out in the order of the requests.
//
// Whether a client that says it will send no more still reads cannot be seen: a socket that was closed and one that was
// half closed look alike. So an answer that takes longer is preceded by "100 Continue", which every client of HTTP/1.1 has to
// pass over: the system of a client that has gone answers it with a reset, and then the request's work is cancelled. HTTP/1.0
// has no such answer: a proxy, which never closes one half, has gone, any other client is taken to be there.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(std::shared_ptr<Hub> hub, std::unique_ptr<Transport> transport, std::string peer);
    void start();
    void refuse(const Refusal& refusal);  // answers, and reads nothing more
    void check_time(Clock::time_point now);
    void drain();  // ends when what is at work is done
    void cut();  // ends now; requests at work learn that their client has gone
    void wake();  // an answer, or a piece of one, is there
    const std::string& peer() const { return peer_; }

private:
    enum class Input { open, ended /* by the client */, closed /* by us */, lingering /* read and forgotten */ };
    enum class Output { head, memory, file, pieces, done };

    // Reading: connection_read.cpp.
    void wait_to_read();
    void wait_for_error();
    void read();
    void received(std::string_view bytes);
    void parse();
    bool parse_head();
    void parse_body();
    void open_request(std::string_view head);
    void admit();
    void end_of_input();
    // How long that may take: connection_time.cpp.
    void set_time_limit();
    void linger_on();
    void find_out_whether_gone();
    // Handing on: connection_requests.cpp.
    std::shared_ptr<Transaction> add_transaction();
    void deliver();
    void answer(Transaction& transaction, int status, const std::string& message, int retry_after = 0);
    void finish_front();
    // Writing: connection_write.cpp.
    void wait_to_write();
    void pump();
    bool flush();  // false: the socket takes no more now, or the connection has ended
    bool refill();  // false: there is nothing to send now
    void start_answer(Transaction& transaction);
    void refill_pieces(Transaction& transaction);
    void refill_file();
    void end_after_answers();
    // Runs `step`; an exception ends the connection, not the server.
    template <typename Step>
    void guarded(Step step);

    std::shared_ptr<Hub> hub_;
    std::unique_ptr<Transport> transport_;
    std::string peer_;
    std::deque<std::shared_ptr<Transaction>> queue_;  // by their order; the first one is answered
    std::shared_ptr<Transaction> current_;  // its body is read; also in the queue
    std::optional<Body> body_;

    Input input_ = Input::open;
    std::string in_;  // read, not yet used
    std::size_t at_ = 0;  // what of it was used
    HeadScanner scanner_;
    bool reading_ = false, writing_ = false, erring_ = false;  // waits that are under way
    bool read_before_write_ = false, write_before_read_ = false;  // what TLS wants
    bool closed_ = false, parsing_ = false, pumping_ = false;
    Clock::time_point read_limit_ = Clock::time_point::max(), write_limit_ = Clock::time_point::max(),
                      probe_time_ = Clock::time_point::max(), linger_end_;
    enum class Limit { none, idle, head, body, linger } limit_ = Limit::none;
    std::uint64_t body_mark_ = 0, forgotten_ = 0;

    Output output_ = Output::head;
    bool output_chunked_ = false, output_to_end_ = false /* the connection's end ends the answer */;
    std::string out_;
    std::size_t out_at_ = 0, piece_bytes_ = 0;
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t file_left_ = 0;
};

template <typename Step>
void Connection::guarded(Step step) {
    const auto self = shared_from_this();
    if (closed_) return;
    try {
        step();
    } catch (const std::exception& error) {
        hub_->application.fault(queue_.empty() ? nullptr : &queue_.front()->request, error.what());
        cut();
    }
}

}  // namespace serve::http

// SPDX-License-Identifier: Apache-2.0
#include "serve/http/transport.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace serve::http {
namespace {

class PlainTransport final : public Transport {
public:
    using Transport::Transport;

    IoResult read(char* bytes, std::size_t size) override {
        boost::system::error_code error;
        const std::size_t count = socket_.read_some(boost::asio::buffer(bytes, size), error);
        return error ? IoResult{io_state(error, Io::wait_read), 0} : IoResult{Io::done, count};
    }

    IoResult write(const char* bytes, std::size_t size) override {
        boost::system::error_code error;
        const std::size_t count = socket_.write_some(boost::asio::buffer(bytes, size), error);
        return error ? IoResult{io_state(error, Io::wait_write), 0} : IoResult{Io::done, count};
    }

    void end_sending() override {
        boost::system::error_code ignored;  // the client may have gone
        socket_.shutdown(Socket::shutdown_send, ignored);
    }
};

}  // namespace

Io io_state(const boost::system::error_code& error, Io when_it_would_wait) {
    namespace errors = boost::asio::error;
    if (error == errors::would_block || error == errors::try_again || error == errors::interrupted)
        return when_it_would_wait;
    return error == errors::eof ? Io::end : Io::failed;
}

std::unique_ptr<Transport> plain_transport(Socket socket) {
    return std::make_unique<PlainTransport>(std::move(socket));
}

}  // namespace serve::http

// SPDX-License-Identifier: Apache-2.0
#include "serve/http/tls_socket.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <cstddef>

namespace serve::http {
namespace {

Socket& socket_of(BIO* bio) { return *static_cast<Socket*>(BIO_get_data(bio)); }

int bio_write(BIO* bio, const char* bytes, int size) {
    BIO_clear_retry_flags(bio);
    boost::system::error_code error;
    const std::size_t count = socket_of(bio).write_some(boost::asio::buffer(bytes, static_cast<std::size_t>(size)),
                                                        error);
    if (!error) return static_cast<int>(count);
    if (io_state(error, Io::wait_write) == Io::wait_write) BIO_set_retry_write(bio);
    return -1;
}

int bio_read(BIO* bio, char* bytes, int size) {
    BIO_clear_retry_flags(bio);
    boost::system::error_code error;
    const std::size_t count = socket_of(bio).read_some(boost::asio::buffer(bytes, static_cast<std::size_t>(size)),
                                                       error);
    if (!error) return static_cast<int>(count);
    const Io state = io_state(error, Io::wait_read);
    if (state == Io::wait_read) BIO_set_retry_read(bio);
    if (state == Io::end) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return state == Io::end ? 0 : -1;
}

long bio_control(BIO* bio, int command, long, void*) {
    if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

const BIO_METHOD* socket_method() {
    static BIO_METHOD* const method = [] {
        BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
        BIO_meth_set_write(made, bio_write);
        BIO_meth_set_read(made, bio_read);
        BIO_meth_set_ctrl(made, bio_control);
        return made;
    }();
    return method;
}

}  // namespace

BIO* new_socket_bio(Socket& socket) {
    BIO* bio = BIO_new(socket_method());
    if (!bio) return nullptr;
    BIO_set_data(bio, &socket);
    BIO_set_init(bio, 1);
    return bio;
}

}  // namespace serve::http

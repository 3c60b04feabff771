// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

using namespace dragoman::test;

namespace {

constexpr std::string_view kLines[] = {"Transfer-Encoding: chunked\r\n",
                                       "Transfer-Encoding: gzip, chunked\r\n",
                                       "Transfer-Encoding : chunked\r\n",
                                       "Content-Length: 5\r\n",
                                       "Content-Length: 05\r\n",
                                       "Content-Length: 18446744073709551616\r\n",
                                       "Host: a\r\n",
                                       "Connection: close\r\n",
                                       "Connection: keep-alive, Upgrade\r\n",
                                       "Expect: 100-continue\r\n",
                                       " folded\r\n",
                                       "5;a=\"b\"\r\nHallo\r\n",
                                       "0\r\n\r\n",
                                       "0\r\nX: y\r\n\r\n",
                                       "\r\n"};

}  // namespace

// Lines come, go and change places; a length becomes the one that is right.
extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    std::string bytes(view(data, size));
    if (bytes.find("\r\n") == bytes.npos || chance.one_in(2)) return LLVMFuzzerMutate(data, size, max_size);
    std::size_t at = 0;
    for (std::size_t skip = chance.below(12); skip > 0; --skip) {
        const std::size_t end = bytes.find("\r\n", at);
        if (end == bytes.npos) break;
        at = end + 2;
    }
    const std::size_t end = std::min(bytes.find("\r\n", at), bytes.size() - 2);
    switch (chance.below(4)) {
        case 0: bytes.insert(at, kLines[chance.below(std::size(kLines))]); break;
        case 1: bytes.erase(at, end + 2 - at); break;
        case 2: bytes.insert(at, bytes.substr(at, end + 2 - at)); break;
        default: {
            const std::size_t head = bytes.find("\r\n\r\n"), name = bytes.find("Content-Length: ");
            if (head == bytes.npos || name == bytes.npos || name > head) return LLVMFuzzerMutate(data, size, max_size);
            const std::size_t digits = name + 16, stop = bytes.find('\r', digits);
            bytes.replace(digits, stop - digits, std::to_string(bytes.size() - head - 4));
        }
    }
    return give(bytes, data, max_size);
}

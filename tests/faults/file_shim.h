// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// The C library's calls on files, of which one fails. The program's own functions stand before the library's, so that
// Dragoman, SQLite, libzip and the C++ library all come through them.
namespace dragoman::faults {

enum class Fault {
    io,           // EIO, of every call
    full,         // ENOSPC, of calls that need room
    full_from,    // the same from that call on
    interrupted,  // EINTR, of calls that may be: nobody should notice
    part,         // half of what was asked for is read or written: nobody should notice
    end           // the file ends where it is read
};

// Counts calls on files below `folder` and makes the one fail that comes after `before` others that may fail in this
// way. One at a time.
class Striking {
public:
    Striking(std::string folder, Fault fault, uint64_t before);
    ~Striking();
    Striking(const Striking&) = delete;

    bool struck() const;
    uint64_t calls() const;    // that may fail in this way
    std::string what() const;  // "pread of /tmp/x/model.bin"
};

}  // namespace dragoman::faults

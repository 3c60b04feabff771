// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "download/events.h"

namespace dragoman::download {

struct Settings {
    int attempts = 5;                // of a request that failed for a while (connection, 429, 5xx)
    double first_wait_seconds =
        0.5;   // doubled each time, up to `longest_wait_seconds`; a longer Retry-After counts instead
    double longest_wait_seconds = 120;  // a server that asks for more ends the call
    double connect_seconds = 20;
    double stall_seconds = 60;       // without a byte
    uint64_t most_text_bytes = 256ull << 20;  // of get_text()
};

struct Request {
    std::string url;                        // http or https
    std::string token;  // sent as "Authorization: Bearer"; to the url's own host only, never after a redirect elsewhere
    std::map<std::string, std::string> headers;
    std::string where_to_accept;  // for a 403: where a licence is accepted; "" none
    std::string not_there;  // for a 404: what it means here; "": that there is no such file
};

struct Text {
    std::string body;
    std::map<std::string, std::string> headers;  // of the last answer, names in lower case
};

// The answer's body. Throws io_error with a sentence that says what to do for 401, 403, 404, 429, 5xx, too many
// redirects, no network; unsupported for other protocols; cancelled.
Text get_text(const Request& request, const Settings& settings, const ProgressFn& progress = {});

// Bytes of each file, of which one is asked for; 0: the server does not say, or one of them cannot be had. Throws
// cancelled alone: who is told a size goes on without it.
std::vector<uint64_t> get_sizes(const std::vector<Request>& requests, const Settings& settings,
                                const ProgressFn& progress = {});

struct FileRequest : Request {
    std::filesystem::path partial;  // bytes that are there are gone on with; PARTIAL.state beside it keeps ETag, size
    uint64_t bytes = 0;  // expected; 0: not known
    std::string sha256;  // expected of the transferred bytes; "": not known
    std::string hash_note;  // for the message that it is another one: whose hash it is; "": the publisher's
    std::string git_sha1;  // expected as git's blob hash (Hugging Face's small files); "": not known
};

struct FileResult {
    uint64_t bytes = 0;
    std::string sha256;  // of the transferred bytes
};

// Brings files side by side (`parallel` at a time), hashing while they come. A wrong size or hash removes the partial
// file and throws io_error with both values; so a broken transfer is never kept, and a next call begins anew.
// Memory does not depend on sizes.
std::vector<FileResult> get_files(const std::vector<FileRequest>& requests, const Settings& settings, int parallel,
                                  const ProgressFn& progress);

}  // namespace dragoman::download

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http/exchange.h"
#include "serve/http/form.h"
#include "serve/json.h"
#include "serve/problem.h"

namespace serve {

// Who asks, as the guard found it. `owner` is what documents, glossaries and jobs belong to: a key's id, or "" where the
// service has no keys. It never holds the key itself.
struct Account {
    std::string owner;
    std::string address;  // of the client, behind named proxies too
    bool admin = false;  // may load, download and remove models
    std::uint64_t max_characters = 0;  // of one text: the key's own limit, or the service's; 0: none
};

class Charge;

// A request on its way through a handler. The service has read its body and checked its key before.
struct Call {
    std::shared_ptr<http::Exchange> exchange;
    std::map<std::string, std::string> parameters;  // of the path: {id}
    // What the client gave, whichever way: a JSON body as it is (an object, or any other value); otherwise an object of
    // strings from a urlencoded or multipart body, names that repeat being arrays. Names of the query are added where
    // the body does not have them (unless the body is no object). Read it with fields.h. {} where there is nothing.
    Json fields = Json::object();
    bool is_json = false;  // the body was JSON, so values have types
    std::vector<http::Upload> uploads;  // files of a multipart body
    Account account;
    std::shared_ptr<Charge> charge;  // what it costs; see Services::charge()

    const http::Request& request() const { return exchange->request(); }
};

// Writes a problem as the imitated service would.
using ErrorForm = http::Response (*)(const Problem& problem);

enum class Access {
    open,  // never needs a key: health, languages, the page
    key,  // needs one where the service has keys, and counts against limits
    admin  // changes what the service has
};
enum class Body { none, memory, file };

// A header that has a key, and what stands before the key in it ("DeepL-Auth-Key ").
struct KeyHeader {
    const char* name;
    const char* before = "";
};

struct Route {
    std::string method;  // "GET", "POST" ...; HEAD goes to GET
    std::string path;  // "/v2/document/{id}/result"; {name} is one part of a path,
        // {name...} at the end the rest of it
    std::function<void(Call&)> handler;  // on a worker thread; throws Problem, or answers now or later
    ErrorForm error = nullptr;  // null: {"error": "..."}
    Access access = Access::key;
    Body body = Body::memory;  // file: multipart uploads, and bodies that are a document
    // Where this API has its key beside "Authorization: Bearer KEY", which all take. Fields may stand in the query of a
    // body that has none.
    std::vector<KeyHeader> key_headers{};
    std::vector<const char*> key_fields{};
    bool limited = true;  // counts against requests per minute
    // What can be known to be wrong with a file before it is read; throws Problem. Null: nothing. On the I/O thread, for
    // which it must not wait.
    std::function<void(const http::Request& head, const std::map<std::string, std::string>& parameters)> check_head{};
    bool text_in_path = false;  // {name...} is a text, with all that escapes may stand for: slashes, line ends
    // Only requests whose query has this name; it is added before the path's route for all others. Null: all.
    const char* query_name = nullptr;
};

class Router {
public:
    void add(Route route);
    struct Found {
        const Route* route = nullptr;  // null: see `allowed`
        std::map<std::string, std::string> parameters;
        std::vector<std::string> allowed;  // methods of the path, where only the method is wrong
        bool text_in_path = false;  // with any of its methods
    };
    // `query`: as it came, without '?'.
    Found find(std::string_view method, std::string_view path, std::string_view query) const;
    static bool takes_query(const Route& route, std::string_view query);  // see Route::query_name
    const std::vector<Route>& routes() const { return routes_; }

private:
    // One part of a path between its slashes.
    struct Part {
        enum class Kind { text, parameter, rest } kind;
        std::string text;  // itself, or the parameter's name
    };
    using Pattern = std::vector<Part>;
    static Pattern pattern_of(std::string_view path);
    static bool fits(const Pattern& pattern, const std::vector<std::string_view>& given);
    static std::map<std::string, std::string> parameters_of(const Pattern& pattern,
                                                            const std::vector<std::string_view>& given);
    std::vector<Route> routes_;
    std::vector<Pattern> patterns_;  // of the routes, by their places
};

// {"error": "..."}, as LibreTranslate has it, for every status.
http::Response plain_error(const Problem& problem);
// In a form (null: plain_error), with Retry-After where the problem says how long.
http::Response problem_response(const Problem& problem, ErrorForm form);
// Answers with it; not where the client has gone.
void send_problem(http::Exchange& exchange, const Problem& problem, ErrorForm form);

}  // namespace serve

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/api/api.h"
#include "serve/http/form.h"

// Azure Translator's texts: version 3.0, whose body is a list of {Text}, and the dated ones, whose body is {inputs}.
namespace serve::api {

http::Response azure_error(const Problem& problem);

// The parameters of a request, which are in the query alone.
class AzureQuery {
public:
    explicit AzureQuery(const http::Request& request) : fields_(http::read_urlencoded(request.query)) {}
    std::string text(std::string_view name) const;  // "": it is not there
    bool flag(std::string_view name, bool fallback) const;  // throws Problem
    std::vector<std::string> list(std::string_view name) const;  // repeated, or with commas

private:
    http::FormFields fields_;
};

// A text with what is to become of it. Languages are as the client wrote them.
struct AzureText {
    std::string text, from;  // empty: found
    bool html = false;
    std::vector<std::string> to;
};

struct AzureRequest {
    std::vector<AzureText> texts;
    bool dated = false;  // its body is {inputs}
    bool alignment = false, lengths = false;
    std::string suggested_from;  // where nothing tells the language of a text
};

// Throws Problem.
AzureRequest read_azure(const Json& fields, const AzureQuery& query);
std::vector<std::string> azure_texts(const Json& fields);  // of a list of {Text}

void azure_translate(Services& services, Call& call);

}  // namespace serve::api

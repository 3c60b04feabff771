// SPDX-License-Identifier: Apache-2.0
#include <dragoman/documents.hpp>

#include <cstdio>

int main() {
    const dragoman::Model model;
    const dragoman::Translator translator(model);
    dragoman::TranslateOptions options;
    options.target_language = "xx";
    const std::string page = "<p>batin kétiß kénara késora banara!</p>";
    std::puts(dragoman::translate_document_bytes(translator, "page.html", page, options).c_str());
}

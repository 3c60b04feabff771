// SPDX-License-Identifier: Apache-2.0
#include "arguments/arguments.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace dragoman::bench {
namespace {

CLI::Option* own(void* option) { return static_cast<CLI::Option*>(option); }

}  // namespace

struct Arguments::App {
    explicit App(const std::string& what) : app(what) {}
    CLI::App app;
};

Arguments::Option& Arguments::Option::required() {
    own(option_)->required();
    return *this;
}

Arguments::Option& Arguments::Option::shown() {
    own(option_)->capture_default_str();
    return *this;
}

Arguments::Option& Arguments::Option::needs(const Option& other) {
    own(option_)->needs(own(other.option_));
    return *this;
}

Arguments::Option& Arguments::Option::excludes(const Option& other) {
    own(option_)->excludes(own(other.option_));
    return *this;
}

Arguments::Option& Arguments::Option::between(uint32_t least, uint32_t most) {
    own(option_)->check(CLI::Range(least, most));
    return *this;
}

Arguments::Option& Arguments::Option::one_of(std::vector<std::string> values) {
    own(option_)->check(CLI::IsMember(std::move(values)));
    return *this;
}

Arguments::Option& Arguments::Option::by_commas() {
    own(option_)->delimiter(',');
    return *this;
}

Arguments::Arguments(const std::string& what) : app_(std::make_unique<App>(what)) {}
Arguments::~Arguments() = default;

Arguments::Option Arguments::option(const std::string& names, std::string& value, const std::string& help) {
    return Option(app_->app.add_option(names, value, help));
}

Arguments::Option Arguments::option(const std::string& names, uint32_t& value, const std::string& help) {
    return Option(app_->app.add_option(names, value, help));
}

Arguments::Option Arguments::option(const std::string& names, std::vector<std::string>& value,
                                    const std::string& help) {
    return Option(app_->app.add_option(names, value, help));
}

Arguments::Option Arguments::option(const std::string& names, std::vector<uint32_t>& value, const std::string& help) {
    return Option(app_->app.add_option(names, value, help));
}

Arguments::Option Arguments::flag(const std::string& names, bool& value, const std::string& help) {
    return Option(app_->app.add_flag(names, value, help));
}

std::optional<int> Arguments::parse(int argc, char** argv) try {
    app_->app.parse(argc, argv);
    return {};
} catch (const CLI::ParseError& error) {
    return app_->app.exit(error);
}

}  // namespace dragoman::bench

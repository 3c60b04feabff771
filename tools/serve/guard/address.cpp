// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "serve/guard/words.h"

namespace serve::guard {
namespace {

constexpr int kBitsV4 = 32, kBitsV6 = 128, kCustomerBytes = 8, kGroups = 8;

std::optional<unsigned> digits(std::string_view text, unsigned most) {
    if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) return {};
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > most) return {};
    return value;
}

bool read_v4(std::string_view text, std::uint8_t* bytes) {
    const auto parts = split(text, '.');
    if (parts.size() != 4 || text.find_first_of(" \t") != std::string_view::npos) return false;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto value = digits(parts[i], 255);
        if (!value) return false;
        bytes[i] = static_cast<std::uint8_t>(*value);
    }
    return true;
}

// Groups of one side of "::"; an IPv4 address may be the last two. False: something else.
bool read_groups(std::string_view text, bool v4_may_end, std::array<std::uint8_t, 16>& bytes, int& groups) {
    groups = 0;
    if (text.empty()) return true;
    const auto parts = split(text, ':');
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (v4_may_end && i + 1 == parts.size() && parts[i].find('.') != std::string_view::npos) {
            if (groups > kGroups - 2 || !read_v4(parts[i], bytes.data() + groups * 2)) return false;
            groups += 2;
            return true;
        }
        unsigned value = 0;
        const auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), value, 16);
        if (error != std::errc() || end != parts[i].data() + parts[i].size() || parts[i].size() > 4 ||
            groups >= kGroups)
            return false;
        bytes[groups * 2] = static_cast<std::uint8_t>(value >> 8);
        bytes[groups * 2 + 1] = static_cast<std::uint8_t>(value);
        ++groups;
    }
    return true;
}

bool read_v6(std::string_view text, std::array<std::uint8_t, 16>& bytes) {
    if (text.find_first_of(" \t+-") != std::string_view::npos) return false;
    const std::size_t gap = text.find("::");
    int before = 0, after = 0;
    if (gap == std::string_view::npos) return read_groups(text, true, bytes, before) && before == kGroups;
    std::array<std::uint8_t, 16> rest{};
    if (!read_groups(text.substr(0, gap), false, bytes, before) ||
        !read_groups(text.substr(gap + 2), true, rest, after))
        return false;
    if (before + after >= kGroups) return false;  // "::" stands for at least one group
    std::copy_n(rest.begin(), after * 2, bytes.end() - after * 2);
    return true;
}

bool is_mapped(const std::array<std::uint8_t, 16>& bytes) {
    return std::all_of(bytes.begin(), bytes.begin() + 10, [](auto each) { return each == 0; }) && bytes[10] == 0xFF &&
           bytes[11] == 0xFF;
}

}  // namespace

bool Address::is_loopback() const {
    if (!v6) return bytes[0] == 127;
    return std::all_of(bytes.begin(), bytes.end() - 1, [](auto each) { return each == 0; }) && bytes[15] == 1;
}

std::string Address::text() const {
    if (!v6) return fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
    std::array<unsigned, kGroups> groups;
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = unsigned(bytes[i * 2]) << 8 | bytes[i * 2 + 1];
    std::size_t gap = groups.size(), longest = 1;  // of zeros; one alone is written
    for (std::size_t i = 0; i < groups.size(); ++i) {
        std::size_t end = i;
        while (end < groups.size() && groups[end] == 0) ++end;
        if (end - i > longest) gap = i, longest = end - i;
    }
    std::string result;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i == gap) {
            result += "::";
            i += longest - 1;
            continue;
        }
        if (!result.empty() && result.back() != ':') result += ':';
        result += fmt::format("{:x}", groups[i]);
    }
    return result;
}

std::string Address::customer() const {
    Address network = *this;
    if (!v6) return text();
    std::fill(network.bytes.begin() + kCustomerBytes, network.bytes.end(), std::uint8_t(0));
    return network.text() + "/64";
}

std::optional<Address> read_address(std::string_view text) {
    Address address;
    if (text.find(':') == std::string_view::npos) {
        if (!read_v4(text, address.bytes.data())) return {};
        return address;
    }
    if (!read_v6(text.substr(0, text.find('%')), address.bytes)) return {};
    address.v6 = true;
    if (is_mapped(address.bytes)) {
        Address v4;
        std::copy_n(address.bytes.begin() + 12, 4, v4.bytes.begin());
        return v4;
    }
    return address;
}

std::optional<Address> read_endpoint(std::string_view text) {
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos || (end + 1 < text.size() && text[end + 1] != ':')) return {};
        const std::optional<Address> address = read_address(text.substr(1, end - 1));
        return address && text.substr(1, end - 1).find(':') != std::string_view::npos ? address : std::nullopt;
    }
    if (std::ranges::count(text, ':') == 1) return read_address(text.substr(0, text.find(':')));
    return read_address(text);
}

bool Network::has(const Address& address) const {
    if (address.v6 != base.v6) return false;
    for (int bit = 0; bit < bits; ++bit) {
        const std::uint8_t mask = static_cast<std::uint8_t>(0x80 >> bit % 8);
        if ((address.bytes[bit / 8] & mask) != (base.bytes[bit / 8] & mask)) return false;
    }
    return true;
}

std::optional<Network> read_network(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::optional<Address> base = read_address(text.substr(0, slash));
    if (!base) return {};
    const int most = base->v6 ? kBitsV6 : kBitsV4;
    if (slash == std::string_view::npos) return Network{*base, most};
    const auto bits = digits(text.substr(slash + 1), static_cast<unsigned>(most));
    if (!bits) return {};
    return Network{*base, static_cast<int>(*bits)};
}

}  // namespace serve::guard

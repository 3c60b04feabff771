// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "formats/gguf_types.h"

namespace dragoman::formats::gguf {

// Keys and values in the order in which they are added.
class KeyWriter {
public:
    void count(const std::string& key, uint32_t value) { number(key, Value::u32, value); }
    void integer(const std::string& key, int32_t value) { number(key, Value::i32, value); }
    void real(const std::string& key, float value) { number(key, Value::f32, value); }
    void flag(const std::string& key, bool value) { number(key, Value::boolean, uint8_t{value}); }
    void text(const std::string& key, std::string_view value) {
        begin(key, Value::string);
        add_text(value);
    }
    void texts(const std::string& key, std::span<const std::string> values) {
        begin_array(key, Value::string, values.size());
        for (const std::string& value : values) add_text(value);
    }
    void numbers(const std::string& key, std::span<const uint32_t> values) {
        begin_array(key, Value::u32, values.size());
        add_bytes(std::as_bytes(values));
    }
    void blob(const std::string& key, std::span<const std::byte> bytes) {
        begin_array(key, Value::u8, bytes.size());
        add_bytes(bytes);
    }
    uint64_t count() const { return count_; }
    const std::string& bytes() const { return bytes_; }

    template <class T>
    void add(T value) {
        add_bytes(std::as_bytes(std::span(&value, 1)));
    }
    void add_text(std::string_view text) {
        add<uint64_t>(text.size());
        bytes_ += text;
    }

private:
    void begin(const std::string& key, Value type) {
        add_text(key);
        add(static_cast<uint32_t>(type));
        ++count_;
    }
    void begin_array(const std::string& key, Value element, uint64_t count) {
        begin(key, Value::array);
        add(static_cast<uint32_t>(element));
        add(count);
    }
    template <class T>
    void number(const std::string& key, Value type, T value) {
        begin(key, type);
        add(value);
    }
    void add_bytes(std::span<const std::byte> bytes) {
        bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    std::string bytes_;
    uint64_t count_ = 0;
};

}  // namespace dragoman::formats::gguf

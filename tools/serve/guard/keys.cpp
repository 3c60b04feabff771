// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/keys.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>

#include "serve/guard/clock.h"
#include "serve/guard/key_uses.h"
#include "serve/guard/keys_table.h"
#include "serve/guard/secrets.h"

namespace serve::guard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kCached = std::chrono::seconds(30);
constexpr auto kWritten = std::chrono::seconds(5);   // use() is at most this old in the file
constexpr auto kLooked = std::chrono::seconds(1);    // for a first key that another process adds
constexpr std::size_t kMostCached = 10'000;
constexpr std::size_t kShortest = 16;                // of imported keys

std::string this_month() { return month_of(std::chrono::system_clock::now()); }
std::string this_time() { return iso_time(std::chrono::system_clock::now()); }

}  // namespace

// Readers and the writer have a connection each, so that a request does not wait for the disk.
struct Keys::Impl {
    struct Cached {
        std::optional<Key> key;
        Clock::time_point until;
    };

    Impl(const std::filesystem::path& file, Trouble on_trouble)
        : trouble(std::move(on_trouble)), reader(file), writer(file), thread([this] { write_always(); }) {}

    ~Impl() {
        {
            const std::lock_guard lock(waiting);
            ends = true;
        }
        wake.notify_all();
        thread.join();
        write();
    }

    void write_always() {
        std::unique_lock lock(waiting);
        while (!wake.wait_for(lock, kWritten, [&] { return ends; })) {
            lock.unlock();
            write();
            lock.lock();
        }
    }

    // What cannot be written is kept and tried again.
    void write() {
        const std::lock_guard writing(writer_lock);
        for (const auto& [month, counts] : uses.unwritten()) {
            try {
                writer.add_use(counts, month, this_time());
            } catch (const std::runtime_error& error) {
                if (!told.exchange(true)) tell(fmt::format("the use of keys cannot be written: {}", error.what()));
                return;
            }
            uses.written(month, counts);
            told = false;
        }
    }

    void tell(const std::string& what) const {
        if (trouble) trouble(what);
        else std::fputs((what + "\n").c_str(), stderr);
    }

    std::optional<Key> read(const std::string& secret, const std::string& digest) {
        const std::uint64_t before = uses.generation();
        std::optional<Key> key;
        {
            const std::lock_guard lock(reader_lock);
            if (is_own(secret)) key = reader.find(digest, this_month());
            else if (reader.has_imported())
                key = reader.find(slow_hash(secret, reader.salt(), reader.rounds()), this_month());
        }
        if (key) uses.complete(*key, before);
        return key;
    }

    void forget() {
        const std::lock_guard lock(cache_lock);
        cache.clear();
        ++cache_version;
    }

    Trouble trouble;
    KeysTable reader, writer;
    KeyUses uses;
    std::mutex reader_lock, writer_lock, cache_lock, waiting;
    std::unordered_map<std::string, Cached> cache;  // by SHA-256 of the key
    std::uint64_t cache_version = 0;
    std::atomic<bool> told{false}, not_empty{false};
    std::atomic<Clock::time_point> looked{Clock::time_point()};
    bool ends = false;
    std::condition_variable wake;
    std::thread thread;
};

Keys::Keys(const std::filesystem::path& file, Trouble trouble)
    : impl_(std::make_unique<Impl>(file, std::move(trouble))) {}
Keys::~Keys() = default;

std::string Keys::add(Key key) {
    const std::string secret = new_secret();
    if (!import(secret, std::move(key))) throw std::runtime_error("two random keys are the same");
    return secret;
}

bool Keys::import(const std::string& secret, Key key) {
    if (secret.size() < kShortest)
        throw std::runtime_error(fmt::format("a key of {} characters can be guessed, at least {} are needed",
                                             secret.size(), kShortest));
    if (key.id.empty()) key.id = "k" + hex(random_bytes(4));
    if (key.created.empty()) key.created = this_time();
    const bool own = is_own(secret);
    const std::string hash = own ? sha256(secret) : slow_hash(secret, impl_->writer.salt(), impl_->writer.rounds());
    bool added = false;
    {
        const std::lock_guard lock(impl_->writer_lock);
        added = impl_->writer.insert(key, hash, !own);
    }
    impl_->forget();
    impl_->not_empty = true;
    return added;
}

bool Keys::remove(const std::string& id) {
    bool removed = false;
    {
        const std::lock_guard lock(impl_->writer_lock);
        removed = impl_->writer.remove(id);
    }
    impl_->forget();
    return removed;
}

std::vector<Key> Keys::list() const {
    const std::uint64_t before = impl_->uses.generation();
    std::vector<Key> keys;
    {
        const std::lock_guard lock(impl_->reader_lock);
        keys = impl_->reader.list(this_month());
    }
    for (Key& key : keys) impl_->uses.complete(key, before);
    return keys;
}

std::optional<Key> Keys::find(const std::string& secret) const {
    const std::string digest = sha256(secret);
    const Clock::time_point now = Clock::now();
    std::uint64_t version = 0;
    {
        const std::lock_guard lock(impl_->cache_lock);
        version = impl_->cache_version;
        const auto found = impl_->cache.find(digest);
        if (found != impl_->cache.end() && now < found->second.until) return found->second.key;
    }
    const std::optional<Key> key = impl_->read(secret, digest);
    const std::lock_guard lock(impl_->cache_lock);
    if (version != impl_->cache_version) return key;  // it may have been removed while it was read
    if (impl_->cache.size() >= kMostCached) impl_->cache.clear();
    impl_->cache[digest] = {key, now + kCached};
    return key;
}

std::optional<Key> Keys::get(const std::string& id) const {
    const std::uint64_t before = impl_->uses.generation();
    std::optional<Key> key;
    {
        const std::lock_guard lock(impl_->reader_lock);
        key = impl_->reader.get(id, this_month());
    }
    if (key) impl_->uses.complete(*key, before);
    return key;
}

void Keys::use(const std::string& id, std::uint64_t characters) { impl_->uses.add(id, characters); }

void Keys::give_back(const std::string& id, std::uint64_t characters) { impl_->uses.give_back(id, characters); }

void Keys::reserve(const std::string& id, std::uint64_t characters) { impl_->uses.reserve(id, characters); }

void Keys::charge(const std::string& id, const std::string& document, std::uint64_t reserved) {
    const std::string month = this_month();
    bool added = false;
    try {
        const std::lock_guard lock(impl_->writer_lock);
        added = impl_->writer.add_document(document, id, reserved, month, this_time());
    } catch (const std::runtime_error& error) {  // later, with the rest
        impl_->tell(fmt::format("the costs of the document {} cannot be written yet: {}", document, error.what()));
        impl_->uses.release(id, reserved);
        return impl_->uses.add(id, reserved);
    }
    impl_->uses.release(id, reserved);
    if (added) impl_->uses.add_written(id, month, reserved);
}

bool Keys::has_charged(const std::string& document) const {
    const std::lock_guard lock(impl_->reader_lock);
    return impl_->reader.has_document(document);
}

void Keys::forget_document(const std::string& document) {
    const std::lock_guard lock(impl_->writer_lock);
    impl_->writer.forget_document(document);
}

std::uint64_t Keys::used(const std::string& id) const { return impl_->uses.characters(id); }

void Keys::flush() { impl_->write(); }

bool Keys::empty() const {
    if (impl_->not_empty) return false;
    const Clock::time_point now = Clock::now();
    if (now < impl_->looked.load()) return true;
    impl_->looked = now + kLooked;
    const std::lock_guard lock(impl_->reader_lock);
    if (impl_->reader.had_keys()) impl_->not_empty = true;
    return !impl_->not_empty;
}

}  // namespace serve::guard

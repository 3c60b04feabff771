// SPDX-License-Identifier: Apache-2.0
#include "decode/stream.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <tuple>

#include "base/log.h"
#include "decode/session.h"
#include "decode/terms.h"
#include "nn/seq2seq.h"

namespace dragoman::decode {

namespace {

constexpr uint32_t kFewSlots = 4;           // with so few slots, none are reserved for express sentences
constexpr uint32_t kFewLive = 16;           // with so few sentences a chunk may be long, with one wait for all of it
constexpr double kChunkSeconds = 0.05;      // with more sentences: the longest that an express sentence waits
constexpr double kSubmissionSeconds = 0.1;  // of steps in one submission
constexpr double kPauseSeconds = 0.5;       // bulk work rests this long for express sentences,
constexpr double kBulkShare = 3.0;  // then gets a second for each three: enough to go on, too little to be noticed

// The tokens that a sentence is charged for: its source, and steps beyond any sensible translation's length, so that a
// sentence that finds no end does not run for nothing; without a source, every step.
uint64_t tokens_done(const SearchInput& input, uint64_t steps, bool finished) {
    if (input.source.empty()) return steps;
    const uint64_t source = input.source.size(), sensible = 4 * (source + input.context.size()) + 64;
    return (finished ? source : std::min(steps, source)) + (steps > sensible ? steps - sensible : 0);
}

uint32_t forced_tokens(const SearchInput& input) { return uint32_t(input.context.size() + input.prefix.size()); }

}  // namespace

Stream::Stream(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model, const SearchRules& rules,
               const StreamLimits& limits, SearchStats& stats)
    : context_(std::move(context)), model_(model), rules_(rules), limits_(limits), stats_(stats),
      most_slots_(std::max(limits.slots, 1u)) {
    DRAGOMAN_ASSERT(rules.beam_size >= 1 && rules.beam_size <= kMaxBeam && rules.candidates() <= kMaxCandidates);
    DRAGOMAN_ASSERT(!rules.terms || rules == with_terms(rules));
    DRAGOMAN_ASSERT(!rules.sampling || (rules.beam_size == 1 && rules.candidates() == 1));
}

Stream::~Stream() = default;

void Stream::add(Ticket ticket, SearchInput input, const Order& order) {
    if (input.allowed.empty()) input.allowed = rules_.allowed;
    if (!input.terms.empty()) admit_terms(input);
    for (const uint32_t id : input.allowed)
        if (id >= model_.info().target_vocabulary)
            fail(Status::bad_model, "shortlist: token {} is outside the target vocabulary of {}", id,
                 model_.info().target_vocabulary);
    wait({ticket, std::move(input), order});
}

void Stream::admit_terms(SearchInput& input) const {
    DRAGOMAN_ASSERT(rules_.terms);
    check_terms(input, rules_, model_.info().target_vocabulary);
    if (input.allowed.empty()) return;
    for (const Term& term : input.terms)
        for (const auto& form : term.forms) input.allowed.insert(input.allowed.end(), form.begin(), form.end());
    std::ranges::sort(input.allowed);
    input.allowed.erase(std::unique(input.allowed.begin(), input.allowed.end()), input.allowed.end());
}

void Stream::wait(Sentence sentence) {
    const Order order = sentence.order;
    const Ticket ticket = sentence.ticket;
    places_[ticket] = waiting_.emplace(Key(-int64_t(order.priority), order.rank), std::move(sentence));
    if (order.urgency == Urgency::express) ++express_waiting_;
}

Stream::Sentence Stream::leave_queue(Queue::const_iterator at) {
    Sentence sentence = std::move(waiting_.extract(at).mapped());
    places_.erase(sentence.ticket);
    if (sentence.order.urgency == Urgency::express) --express_waiting_;
    return sentence;
}

bool Stream::cancel(Ticket ticket) {
    if (const auto place = places_.find(ticket); place != places_.end()) {
        leave_queue(place->second);
        return true;
    }
    const auto live = std::ranges::find_if(live_, [&](const auto& s) { return s.second.ticket == ticket; });
    if (live == live_.end()) return false;
    session_->leave(live->first);
    live_.erase(live);
    return true;
}

double Stream::start_rank(int32_t priority) const {
    const int64_t wanted = -int64_t(priority);
    const auto at = waiting_.lower_bound({wanted, -std::numeric_limits<double>::infinity()});
    if (at != waiting_.end() && at->first.first == wanted) return at->first.second;
    const auto entered = entered_rank_.find(priority);
    return entered != entered_rank_.end() ? entered->second : 0.0;
}

int32_t Stream::highest_priority() const {
    DRAGOMAN_ASSERT(!idle());
    int32_t highest = std::numeric_limits<int32_t>::min();
    if (!waiting_.empty()) highest = waiting_.begin()->second.order.priority;
    for (const auto& [slot, sentence] : live_) highest = std::max(highest, sentence.order.priority);
    return highest;
}

bool Stream::has_express() const {
    return express_waiting_ > 0 ||
           std::ranges::any_of(live_, [](const auto& s) { return s.second.order.urgency == Urgency::express; });
}

void Stream::clear() {
    waiting_.clear();
    places_.clear();
    express_waiting_ = 0;
    if (!live_.empty()) session_.reset();  // the session may be in any state
    live_.clear();
}

void Stream::trim() {
    DRAGOMAN_ASSERT(idle());
    session_.reset();
    regain_slots();
}

void Stream::regain_slots() { most_slots_ = std::max(limits_.slots, 1u); }

uint32_t Stream::slots() const { return session_ ? session_->shape().slots : 0; }

uint64_t Stream::buffer_bytes() const { return session_ ? session_->shape().total_bytes(model_.info()) : 0; }

void Stream::begin_again() {
    for (auto& [slot, sentence] : live_) wait(std::move(sentence));
    live_.clear();
    session_.reset();
    cramped_ = false;
}

void Stream::give_up_half() {
    most_slots_ = std::max(std::min(slots(), most_slots_) / 2, 1u);
    begin_again();
}

// Most translations are shorter than this.
uint32_t Stream::first_steps(const SearchInput& input) const {
    const auto estimated = forced_tokens(input) + uint32_t(input.source.size()) * 3 / 2 + 16;
    const uint32_t steps = initial_steps_ ? initial_steps_ : std::max((estimated + 15) / 16 * 16, 32u);
    return std::min(steps, input.max_length + 1);
}

// Most translations are about as long as their source.
uint32_t Stream::steps_left(uint32_t slot, const SearchInput& input) const {
    const uint32_t done = session_->steps_done(slot);
    const uint32_t expected = std::max(forced_tokens(input) + uint32_t(input.source.size()) + 4, 8u);
    const uint32_t left = done < expected ? expected - done : std::clamp(done / 4, 4u, 32u);
    return std::max(std::min(left, input.max_length - std::min(done, input.max_length)), 1u);
}

uint64_t Stream::budget() const {
    if (limits_.memory_bytes > 0) return limits_.memory_bytes;
    const uint64_t own = session_ ? session_->shape().total_bytes(model_.info()) : 0;
    return (context_->available_bytes() + own) / 2;
}

bool Stream::buffers_fit(const SessionShape& shape) const {
    return shape.largest_buffer_bytes(model_.info()) <= context_->caps().max_storage_range_bytes;
}

bool Stream::fits(const SessionShape& shape) const {
    return buffers_fit(shape) && shape.total_bytes(model_.info()) <= budget();
}

// The shape for the sentences at the front of the queue.
SessionShape Stream::shape_for(uint32_t slots) const {
    SessionShape::Sizes sizes{.slots = slots};
    uint32_t places = 0, most_places = 1, taken = 0;
    for (auto at = slots > 1 ? waiting_.begin() : front(); at != waiting_.end(); ++at) {
        const SearchInput& input = at->second.input;
        const auto length = uint32_t(input.source.size());
        if (taken > 0 && (slots == 1 || sizes.limited == input.allowed.empty())) break;
        most_places = std::max(most_places, first_steps(input) * rules_.beam_size);
        sizes.limited = !input.allowed.empty();
        sizes.longest_source = std::max(sizes.longest_source, length);
        sizes.max_length = std::max(sizes.max_length, input.max_length);
        sizes.forced_tokens = std::max(sizes.forced_tokens, forced_tokens(input));
        if (taken >= slots || (taken > 0 && sizes.source_tokens + length > limits_.source_tokens)) continue;
        sizes.source_tokens += length;
        places += first_steps(input) * rules_.beam_size;
        ++taken;
    }
    sizes.source_tokens += (taken - 1) / 2 * model_.info().memory_alignment;  // gaps between the sentences
    sizes.cache_places = model_.info().cache_bytes_per_step > 0 ? std::max(places, most_places) : 1;
    if (slots > kFewSlots) {  // room for sentences to come
        sizes.slots += limits_.express_slots;
        sizes.max_length = std::max(sizes.max_length, std::min(256u, model_.info().max_target_positions));
        sizes.forced_tokens = std::max(sizes.forced_tokens, 16u);
    }
    return SessionShape::of(rules_, sizes);
}

SessionShape Stream::plan() const {
    uint32_t slots = std::min(bucket(uint32_t(std::min<std::size_t>(waiting_.size(), most_slots_)), 1), most_slots_);
    SessionShape shape = shape_for(slots);
    while (slots > 1 && !fits(shape)) shape = shape_for(slots /= 2);
    return shape;
}

// Whether it pays to let the session run empty for one of another shape.
bool Stream::needs_larger() const {
    const SessionShape& shape = session_->shape();
    if (!shape.holds(front()->second.input)) return true;
    const auto wanted = uint32_t(std::min<std::size_t>(live_.size() + waiting_.size(), most_slots_));
    return shape.slots < most_slots_ && 2 * shape.slots <= wanted && fits(shape_for(2 * shape.slots));
}

// The sentence to admit first.
Stream::Queue::const_iterator Stream::front() const {
    if (express_waiting_ == 0) return waiting_.begin();
    return std::ranges::find_if(waiting_, [](const auto& s) { return s.second.order.urgency == Urgency::express; });
}

std::vector<Stream::Queue::const_iterator> Stream::candidates() {
    std::vector<Queue::const_iterator> list;
    const SessionShape& shape = session_->shape();
    const uint32_t kept = shape.slots > kFewSlots + limits_.express_slots ? limits_.express_slots : 0;
    const uint32_t free = uint32_t(session_->free_slots()), for_bulk = free > kept ? free - kept : 0;
    uint32_t tokens = 0;
    for (const auto& [slot, sentence] : live_) tokens += uint32_t(sentence.input.source.size());
    // An encoder run does not pay for a few sentences.
    const bool bulk = live_.empty() || for_bulk >= std::min<std::size_t>(waiting_.size(), (shape.slots + 7) / 8);
    // Where more express sentences wait than there is room for, they enter some at a time, too: none of them is alone.
    if (!live_.empty() && express_waiting_ > free && free < (shape.slots + 7) / 8) return list;
    uint32_t bulk_taken = 0;
    for (auto at = waiting_.begin(); at != waiting_.end() && list.size() < free; ++at) {
        const auto& [input, order] = std::tie(at->second.input, at->second.order);
        const bool express = order.urgency == Urgency::express;
        if (express_waiting_ > 0 ? !express : !bulk || bulk_taken == for_bulk) {
            if (express_waiting_ > 0) continue;
            break;
        }
        tokens += uint32_t(input.source.size());
        if (tokens > limits_.source_tokens && !(live_.empty() && list.empty()) && !express) break;
        bulk_taken += express ? 0 : 1;
        list.push_back(at);
    }
    return list;
}

void Stream::admit(StreamEvents& events) {
    if (waiting_.empty() || cramped_) return;
    if (live_.empty()) {
        const SessionShape wanted = plan();
        if (!session_ || !session_->shape().covers(wanted)) {
            const uint64_t largest = wanted.largest_buffer_bytes(model_.info());
            if (const uint64_t most = context_->caps().max_storage_range_bytes; largest > most) {
                const std::string message = fmt::format(
                    "a sentence of {} source tokens, beam {}, up to {} tokens of a vocabulary of {} needs a buffer of "
                    "{} bytes; the device allows {}",
                    front()->second.input.source.size(), wanted.beam, wanted.max_length,
                    model_.info().target_vocabulary, largest, most);
                return fail_waiting(events, front(), Error(Status::unsupported, message));
            }
            session_.reset();
            session_ = std::make_unique<Session>(context_, model_, rules_, wanted);
        }
    } else if (needs_larger()) {
        return;
    }
    const auto entering = candidates();
    std::vector<Session::Entrant> entrants;
    for (const auto& at : entering)
        entrants.push_back({.input = &at->second.input,
                            .steps = first_steps(at->second.input),
                            .urgency = at->second.order.urgency,
                            .partial = at->second.order.partial});
    if (entrants.empty()) return;
    const std::vector<uint32_t> slots = session_->enter(entrants);
    if (slots.empty() && live_.empty())
        fail(Status::out_of_memory, "a sentence does not fit into a search made for it");  // our own fault
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Sentence& sentence = live_.emplace(slots[i], leave_queue(entering[i])).first->second;
        double& rank = entered_rank_.try_emplace(sentence.order.priority, sentence.order.rank).first->second;
        rank = std::max(rank, sentence.order.rank);
    }
}

// Where a step's time grows with its rows, bulk work rests while express sentences run.
Urgency Stream::least_urgency() const {
    const auto express = [](const auto& s) { return s.second.order.urgency == Urgency::express; };
    const bool alone = context_->caps().is_cpu() && std::ranges::any_of(live_, express) &&
                       !std::ranges::all_of(live_, express) && bulk_paused_seconds_ < kPauseSeconds;
    return alone ? Urgency::express : Urgency::bulk;
}

uint32_t Stream::chunk(Urgency least) const {
    std::vector<uint32_t> left;
    bool partial = false;
    for (const auto& [slot, sentence] : live_) {
        if (sentence.order.urgency < least) continue;
        left.push_back(steps_left(slot, sentence.input));
        partial |= sentence.order.partial;
    }
    if (partial) return context_->caps().is_cpu() ? 1 : 2;
    std::ranges::sort(left);
    uint32_t steps = left.back();
    if (least == Urgency::bulk && !waiting_.empty()) {
        // Goes on until so many may have finished that others are admitted.
        const std::size_t wanted = (session_->shape().slots + 7) / 8, free = session_->free_slots();
        const std::size_t place = wanted > free ? wanted - free - 1 : 0;
        steps = std::clamp(left[std::min(place, left.size() - 1)], 2u, 16u);
    }
    if (left.size() > kFewLive && step_seconds_ > 0)
        steps = std::min(steps, std::max(uint32_t(kChunkSeconds / step_seconds_), 2u));
    return steps;
}

// Drivers end a submission that takes seconds, some after half a second. More sentences may take proportionally longer.
uint32_t Stream::steps_together() const {
    if (timed_live_ == 0) return 1;
    const double seconds = step_seconds_ * std::max(double(live_.size()) / double(timed_live_), 1.0);
    return uint32_t(std::clamp(kSubmissionSeconds / seconds, 1.0, 1024.0));
}

void Stream::advance(StreamEvents& events) {
    try {
        admit(events);
        if (live_.empty()) return;
        const Urgency least = least_urgency();
        const uint32_t steps = chunk(least);
        const uint64_t before = stats_.decoder_steps;
        const auto begin = std::chrono::steady_clock::now();
        session_->advance(steps, steps_together(), least, stats_);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (least == Urgency::express) {
            bulk_paused_seconds_ += seconds;
        } else {
            bulk_paused_seconds_ = std::max(bulk_paused_seconds_ - kBulkShare * seconds, 0.0);
            step_seconds_ = seconds / double(std::max<uint64_t>(stats_.decoder_steps - before, 1));
            timed_live_ = live_.size();
        }
        collect(events);
        make_places(events);
    } catch (const Error& error) {
        if (error.status() != Status::out_of_memory && error.status() != Status::unsupported) throw;
        give_up_slots(events, error);
    }
}

// Whether a wider network is to search the sentence.
bool Stream::gives_up(uint32_t slot) const { return model_.info().narrow && session_->overflowed(slot); }

void Stream::collect(StreamEvents& events) {
    std::vector<uint32_t> slots;
    for (auto& [slot, sentence] : live_) {
        const bool finished = session_->finished(slot) || gives_up(slot);
        count(sentence, session_->steps_done(slot), finished, events);
        if (finished) slots.push_back(slot);
        else if (sentence.order.partial) events.partial.push_back({sentence.ticket, session_->partial(slot)});
    }
    std::vector<SearchOutput> outputs = session_->collect(slots);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto at = live_.find(slots[i]);
        outputs[i].overflowed = session_->overflowed(slots[i]);
        if (gives_up(slots[i])) {
            outputs[i].rerun_f32 = std::move(at->second.input);
            ++stats_.overflowed;
        }
        events.finished.push_back({at->second.ticket, std::move(outputs[i])});
        session_->leave(slots[i]);
        live_.erase(at);
    }
}

// Counts each step once, however often the sentence begins again.
void Stream::count(Sentence& sentence, uint32_t steps, bool finished, StreamEvents& events) {
    const uint64_t done = tokens_done(sentence.input, steps, finished);
    if (done <= sentence.counted) return;
    events.source_tokens += done - sentence.counted;
    sentence.counted = done;
}

// Enlarges the caches of sentences that need it; if there is no room, the latest ones leave.
void Stream::make_places(StreamEvents& events) {
    cramped_ = false;
    std::vector<uint32_t> stalled;
    for (const auto& [slot, sentence] : live_)
        if (session_->stalled(slot)) stalled.push_back(slot);
    std::erase_if(stalled, [&](uint32_t slot) { return session_->grow(slot) || enlarge(slot); });
    while (!stalled.empty() && stalled.size() == live_.size()) {
        if (stalled.size() == 1) {
            if (enlarge_for_only(stalled[0])) return;
            const Error error(Status::out_of_memory,
                              fmt::format("no room for caches of {} steps, beam {}, with {} bytes free",
                                          2 * session_->steps_done(stalled[0]), rules_.beam_size,
                                          context_->available_bytes()));
            if (session_->shape().slots > 1) throw error;  // it may fit into a session of its own
            events.failed.push_back({live_.begin()->second.ticket, error});
            session_->leave(stalled[0]);
            live_.clear();
            return;
        }
        const auto last = std::ranges::max_element(stalled, {}, [&](uint32_t slot) {
            const Sentence& sentence = live_.at(slot);
            return std::tuple(-int64_t(sentence.order.priority), sentence.order.rank, sentence.ticket);
        });
        send_back(*last);
        stalled.erase(last);
        std::erase_if(stalled,
                      [&](uint32_t slot) { return session_->grow(slot) || (live_.size() == 1 && enlarge(slot)); });
    }
    cramped_ = !stalled.empty();
}

bool Stream::enlarge(uint32_t slot) {
    SessionShape larger = session_->shape();
    const uint64_t wanted = std::max<uint64_t>(larger.cache_places * 3ull / 2,
                                               larger.cache_places + 2ull * session_->steps_done(slot) * larger.beam);
    if (wanted > UINT32_MAX) return false;
    larger.cache_places = uint32_t(wanted);
    // For the only sentence the attempt is made: free bytes are those of one heap, and when that is full there may be
    // others.
    const bool tried = live_.size() == 1 && limits_.memory_bytes == 0;
    if (!(tried ? buffers_fit(larger) : fits(larger))) return false;
    try {
        session_->enlarge(larger.cache_places);
    } catch (const Error& error) {
        if (error.status() != Status::out_of_memory) throw;
        return false;
    }
    return session_->grow(slot);
}

// Memory that others hold must not make it fail.
bool Stream::enlarge_for_only(uint32_t slot) {
    while (make_room_ && make_room_(1))
        if (session_->grow(slot) || enlarge(slot)) return true;
    return false;
}

// Puts the sentence back into the queue; it begins again later.
void Stream::send_back(uint32_t slot) {
    const auto at = live_.find(slot);
    session_->leave(slot);
    wait(std::move(at->second));
    live_.erase(at);
}

void Stream::fail_waiting(StreamEvents& events, Queue::const_iterator at, const Error& error) {
    events.failed.push_back({leave_queue(at).ticket, error});
}

void Stream::give_up_slots(StreamEvents& events, const Error& error) {
    const uint32_t tried = std::min(session_ ? session_->shape().slots : plan().slots, most_slots_);
    const bool alone = live_.size() == 1;
    const Ticket ticket = alone ? live_.begin()->second.ticket : Ticket{};
    begin_again();
    if (error.status() == Status::out_of_memory && make_room_ && make_room_(tried)) return;
    if (tried > 1) {
        most_slots_ = tried / 2;
        log(LogLevel::info, "{} sentences at a time do not fit, trying {}: {}", tried, most_slots_, error.what());
    } else {
        // The one that was at work: others that wait may be more urgent, and may fit.
        const auto at = std::ranges::find_if(waiting_,
                                             [&](const auto& s) { return alone && s.second.ticket == ticket; });
        fail_waiting(events, at == waiting_.end() ? front() : at, error);
    }
}

}  // namespace dragoman::decode

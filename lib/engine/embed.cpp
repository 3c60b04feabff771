// SPDX-License-Identifier: Apache-2.0
#include "engine/embed.h"

#include "base/error.h"

namespace dragoman::engine {

void embed(const Replicas& replicas, std::span<const std::vector<uint32_t>> inputs, const Embedder::Wanted& wanted,
           const Embedder::Sink& sink) {
    std::vector<std::vector<uint32_t>> rest;
    std::vector<std::size_t> numbers;
    std::vector<bool> done(inputs.size(), false);
    Replicas::Member member = replicas.ready(0);
    for (bool again = false;; again = true) {
        std::string why;
        bool in_sink = false;
        try {
            return member.embedder->run(again ? std::span<const std::vector<uint32_t>>(rest) : inputs, wanted,
                                        [&](std::size_t input, std::span<const float> values) {
                                            const std::size_t number = again ? numbers[input] : input;
                                            done[number] = in_sink = true;
                                            sink(number, values);
                                            in_sink = false;
                                        });
        } catch (const Error& error) {
            if (error.status() != Status::device_lost || in_sink) throw;
            why = error.what();
        }
        const std::shared_ptr<OpenDevice> lost = member.model->on();
        member = {};  // its memory may be needed
        member = replicas.ready(0, lost, why);
        rest.clear();
        numbers.clear();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (done[i]) continue;
            rest.push_back(inputs[i]);
            numbers.push_back(i);
        }
    }
}

}  // namespace dragoman::engine

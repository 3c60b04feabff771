// SPDX-License-Identifier: Apache-2.0
#include "ops/group_table.h"

#include "base/error.h"
#include "support/op_test.h"

namespace dragoman::test::group_table_test {
namespace {

TEST_CASE("a group table computes ceil(count / rows_per_group), y, z for every slot") {
    on_every_device([&](Context& context) {
        for (const uint32_t live : {0u, 1u, 7u, 8u, 9u, 130u}) {
            CAPTURE(live);
            const auto count = upload(context, std::vector<uint32_t>{live});
            ops::GroupTable table(context, *count, 70);
            struct Request {
                uint32_t rows_per_group, y, z;
            };
            std::vector<Request> requests;
            for (uint32_t i = 0; i < 70; ++i) requests.push_back({i % 9 + 1, i + 1, i % 3 + 1});

            Recorder recorder(context.shared_from_this());
            table.record_update(recorder);
            std::vector<ops::Groups> groups;
            for (const Request& r : requests) groups.push_back(table.slot(*count, r.rows_per_group, r.y, r.z));
            const auto list = recorder.finish();
            table.upload(context);
            context.wait(context.submit(*list));

            for (size_t i = 0; i < requests.size(); ++i) {
                const auto arguments = download<uint32_t>(context, groups[i].indirect);
                const auto& [rows_per_group, y, z] = requests[i];
                CHECK(arguments == std::vector<uint32_t>{(live + rows_per_group - 1) / rows_per_group, y, z});
            }
        }
    });
}

TEST_CASE("one table follows several counts of a buffer") {
    on_every_device([&](Context& context) {
        const auto counts = upload(context, std::vector<uint32_t>{5, 99, 99, 17});
        const auto at = [&](uint64_t word) { return BufferView(*counts, word * 4, 4); };
        ops::GroupTable table(context, *counts);
        Recorder recorder(context.shared_from_this());
        table.record_update(recorder);
        const auto a = table.slot(at(0), 4, 1, 1), b = table.slot(at(3), 4, 1, 1), c = table.slot(at(0), 4, 1, 1);
        const auto list = recorder.finish();
        table.upload(context);
        context.wait(context.submit(*list));
        CHECK(download<uint32_t>(context, a.indirect)[0] == 2);
        CHECK(download<uint32_t>(context, b.indirect)[0] == 5);
        CHECK(a.indirect.offset == c.indirect.offset);
        CHECK_THROWS_AS(table.slot(BufferView(*counts, 16, 4), 4, 1, 1), Error);
    });
}

TEST_CASE("equal requests share a slot; a full table and another count are programmer's mistakes") {
    on_every_device([&](Context& context) {
        const auto count = upload(context, std::vector<uint32_t>{3}), other = upload(context, std::vector<uint32_t>{4});
        ops::GroupTable table(context, *count, 2);
        const auto a = table.slot(*count, 8, 2, 1), b = table.slot(*count, 4, 2, 1), c = table.slot(*count, 8, 2, 1);
        CHECK(a.indirect.offset == c.indirect.offset);
        CHECK(a.indirect.offset != b.indirect.offset);
        CHECK_THROWS_AS(table.slot(*count, 1, 1, 1), Error);
        CHECK_THROWS_AS(table.slot(*other, 8, 2, 1), Error);
    });
}

TEST_CASE("a recorded list follows a count that changes between replays") {
    on_every_device([&](Context& context) {
        const auto count = upload(context, std::vector<uint32_t>{0});
        ops::GroupTable table(context, *count);
        Recorder recorder(context.shared_from_this());
        table.record_update(recorder);
        const auto groups = table.slot(*count, 4, 1, 1);
        const auto list = recorder.finish();
        table.upload(context);
        for (const uint32_t live : {5u, 0u, 100u}) {
            context.upload(*count, &live, sizeof(live));
            context.wait(context.submit(*list));
            CHECK(download<uint32_t>(context, groups.indirect)[0] == (live + 3) / 4);
        }
    });
}

}  // namespace
}  // namespace dragoman::test::group_table_test

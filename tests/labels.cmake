# SPDX-License-Identifier: Apache-2.0
# Which tests run when. `ctest -L quick` answers in less than three minutes; `ctest -LE nightly` is CI; without a label
# everything runs, as scripts/nightly.sh has it.

# Under SwiftShader, which keeps no pipelines on disk, whole networks and sweeps of tiles are for the night.
set(nightly_tests
    "^nn\\.(architectures|buffer_limit|int8|transformer)\\.swiftshader$"
    "^ops\\.(blocks|matmul|matmul_norm|tune)\\.swiftshader$"
    "\\.full$")

set(quick_tests
    "^(base|text|model|formats|families|files|spec|fuzz|picture|source)\\."
    "^vulkan\\.[a-z_]+$"
    "^ops\\.(weight|embed|softmax|outputs|group_table|recurrence|shaders)$"
    "^nn\\.(positions|weight_store)$"
    "^decode\\.(range_allocator|search)$"
    "^translate\\.(argos|attention|default_model|options|special_tokens)$"
    "^capi\\.(abi|abidiff|arguments|cpp_header|features|files|hello|model)$"
    "^docs\\.(pages|reference)$"
    "^bench\\.spread$")

# Seconds of one core where no pipeline is on disk yet: the long ones begin, so that no core waits for one at the end.
set(test_costs
    ops.matmul_int8 100 nn.transformer 60 nn.architectures.gpu_kernels 60 nn.transformer.gpu_kernels 60
    ops.matmul 60 nn.architectures 50 nn.int8 50 ops.blocks 40 ops.attention 40
    ops.matmul_norm 40 nn.buffer_limit 40 decode.stream 30 decode.stream.gpu_kernels 30 decode.buffer_limit 30
    decode.recurrent 25 decode.buffer_limit.gpu_kernels 20 translate.batch 20 translate.int8 15)

# Labels and costs for the tests of the current folder; its last line calls this.
function(label_tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test IN LISTS tests)
        set(label "")
        foreach(known quick nightly)
            foreach(pattern IN LISTS ${known}_tests)
                if(test MATCHES "${pattern}")
                    set(label ${known})
                endif()
            endforeach()
        endforeach()
        set(cost 0)
        list(FIND test_costs ${test} at)
        if(at GREATER_EQUAL 0)
            math(EXPR at "${at} + 1")
            list(GET test_costs ${at} cost)
        endif()
        set_tests_properties(${test} PROPERTIES LABELS "${label}" COST ${cost})
    endforeach()
endfunction()

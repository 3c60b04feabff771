// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.hpp>

int main() {
    const dragoman::TranslateOptions options;
    return dragoman_version() == DRAGOMAN_VERSION && options.beam_size == DRAGOMAN_MODEL_DEFAULT ? 0 : 1;
}

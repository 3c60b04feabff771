// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.hpp>

int main() {
    const dragoman::TranslateOptions options;
    return dragoman_version() == DRAGOMAN_VERSION && options.beam_size == 2 ? 0 : 1;
}

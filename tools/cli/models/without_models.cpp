// SPDX-License-Identifier: Apache-2.0
#include "models.h"

namespace cli {

CLI::App* add_models(CLI::App&, ModelsCommand&) { return nullptr; }
void add_download_flags(CLI::App&, Downloads&) {}
bool models(const ModelsCommand&) { return true; }
void choose_models(TranslateCommand&) {}

}  // namespace cli

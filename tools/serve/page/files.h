// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

// The files of the page, written into the program by the build: as they are in built/, and compressed.
namespace serve::page {

extern const std::span<const unsigned char> kIndex, kIndexGzip;        // index.html
extern const std::span<const unsigned char> kScript, kScriptGzip;      // app.js
extern const std::span<const unsigned char> kStyle, kStyleGzip;        // app.css
extern const std::span<const unsigned char> kWorker, kWorkerGzip;      // worker.js
extern const std::span<const unsigned char> kIcon, kIconGzip;          // icon.svg
extern const std::span<const unsigned char> kManifest, kManifestGzip;  // manifest.webmanifest

}  // namespace serve::page

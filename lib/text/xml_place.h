// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expat.h>

#include <cstdint>

// The place of expat in its input. From version 2.9 on it has these functions in 64 bits and deprecates the others.
namespace dragoman::text {

#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
inline uint64_t xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber64(parser); }
inline int64_t xml_byte(XML_Parser parser) { return XML_GetCurrentByteIndex64(parser); }  // -1: nothing is read yet
inline uint64_t xml_event_size(XML_Parser parser) { return XML_GetCurrentByteCount64(parser); }
#else
inline uint64_t xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
inline int64_t xml_byte(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }  // -1: nothing is read yet
inline uint64_t xml_event_size(XML_Parser parser) { return static_cast<uint64_t>(XML_GetCurrentByteCount(parser)); }
#endif

}  // namespace dragoman::text

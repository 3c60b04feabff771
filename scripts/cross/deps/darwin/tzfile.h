/* SPDX-License-Identifier: Apache-2.0 */
/* What ICU takes from Apple's header of this name, which Zig does not bring. */
#define TZDIR "/var/db/timezone/zoneinfo"
#define TZDEFAULT "/etc/localtime"

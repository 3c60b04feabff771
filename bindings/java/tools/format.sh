#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# format.sh [--check]: google-java-format of what is written by hand; with --check it says which files are not formatted.
# Takes the formatter from Maven, or from GOOGLE_JAVA_FORMAT.
set -eu
cd "$(dirname "$0")/.."
version=1.28.0
jar=${GOOGLE_JAVA_FORMAT:-$HOME/.m2/repository/com/google/googlejavaformat/google-java-format/$version/google-java-format-$version-all-deps.jar}
[ -e "$jar" ] || mvn -q -B dependency:get -Dtransitive=false \
    -Dartifact=com.google.googlejavaformat:google-java-format:$version:jar:all-deps
action=--replace
[ "${1:-}" != --check ] || action="--dry-run --set-exit-if-changed"
# shellcheck disable=SC2086
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$jar" $action $(find src/main/java src/main/java22 src/test -name '*.java')

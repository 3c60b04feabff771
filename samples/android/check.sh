#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check.sh FOLDER: the app without Android's tools: resources and manifest by aapt2 against Android 13's, Kotlin compiled
# against its classes, their use of Android's and Java's interfaces checked against those of minSdk, the tests of what is
# free of Android. Works in FOLDER, prints "what<TAB>result".
#   apt-get install aapt maven openjdk-17-jdk-headless python3
# GOOGLE_MAVEN: the address of Google's Maven repository, where Robolectric has a part: runs the activity too, with
# NATIVE, a build for this machine (default: build/release), whose tool it is compared with.
# BINDING: the Java binding of a checkout (default: bindings/java).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
root=$(readlink -f ../..)
out=$(readlink -m "${1:?a folder to work in}")
native=$(readlink -m "${NATIVE:-$root/build/release}")
binding=$(readlink -f "${BINDING:-$root/bindings/java}")
app=app/src/main package=dev.dragoman.sample
rm -rf "$out"/{r,config,assets}
mkdir -p "$out"/{r,config/com/android/tools,assets}
row() { printf '%s\t%s\n' "$@"; }
setting() { sed -nE "s/^ *$1 = ([0-9]+).*/\1/p" app/build.gradle.kts; }
maven() {
    mvn -B -f check/pom.xml -Dout="$out" -Dbinding="$binding" "$@" > "$out/maven.log" 2>&1 && return
    grep -E '^\[(ERROR|WARNING)' "$out/maven.log" | head -40
    exit 1
}
copy=org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy
api=$(setting minSdk)
target=$(setting targetSdk)
framework=$(sed -nE 's,.*<framework>(.*)</framework>.*,\1,p' check/pom.xml)

python3 "$binding/tools/make_java.py" "$out/binding"
# Android's own resources, which the app's refer to.
if [ ! -e "$out/framework.apk" ]; then
    maven $copy -Dartifact="org.robolectric:android-all:$framework" -DoutputDirectory="$out/android"
    python3 - "$out/android/android-all-$framework.jar" "$out/framework.apk" << 'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as jar, zipfile.ZipFile(sys.argv[2], "w") as apk:
    for name in ("resources.arsc", "AndroidManifest.xml"):
        apk.writestr(name, jar.read(name))
END
fi
mkdir "$out/assets/en-de"
cp "$root"/models/en-de/*.{json,spm,safetensors} "$out/assets/en-de"
sed "s/<manifest /<manifest package=\"$package\" /" $app/AndroidManifest.xml > "$out/AndroidManifest.xml"
aapt2 compile --dir $app/res -o "$out/resources.zip"
aapt2 link -I "$out/framework.apk" --manifest "$out/AndroidManifest.xml" --min-sdk-version "$api" \
    --target-sdk-version "$target" --version-code 1 --version-name 1 --java "$out/r" -A "$out/assets" -o "$out/app.apk" \
    "$out/resources.zip" 2> "$out/aapt2.log" || { cat "$out/aapt2.log"; exit 1; }
row "resources and manifest, linked by aapt2" "$(grep -c 'public static final int' "$out/r/${package//.//}/R.java") of R"
names() { grep -oE '<string name="[^"]*"' "$1" | sort; }
diff <(names $app/res/values/strings.xml) <(names $app/res/values-de/strings.xml)
row "strings in English and German" "$(names $app/res/values/strings.xml | wc -l) each"

settings=(-Dapi="$api")
if [ -n "${GOOGLE_MAVEN:-}" ]; then
    settings+=(-Dgoogle.maven="$GOOGLE_MAVEN")
    maven "${settings[@]}" $copy -Dartifact=androidx.test:monitor:1.7.2:aar -DoutputDirectory="$out/android"
    python3 -m zipfile -e "$out/android/monitor-1.7.2.aar" "$out/android"
    printf '%s\n' "android_resource_apk=$out/app.apk" "android_merged_assets=$out/assets" \
        "android_merged_manifest=$out/AndroidManifest.xml" "android_custom_package=$package" \
        > "$out/config/com/android/tools/test_config.properties"
    printf '%s\n' "sdk=$target" "graphicsMode=LEGACY" > "$out/config/robolectric.properties"
    translate() { "$native/bin/dragoman" translate --model "$root/models/en-de" --from "$1" --to "$2" "$3"; }
    english="Where is the dog? I have not seen it since yesterday, and the weather is bad."
    german="Guten Morgen! Der Zug nach Hamburg fährt heute eine Stunde später ab."
    there=$(translate en de "$english")
    settings+=(-Ddragoman.library="$native/capi/libdragoman.so" -Denglish="$english"
               -Dgerman="$german" -Denglish.translated="$there" -Denglish.back="$(translate de en "$there")"
               -Dgerman.translated="$(translate de en "$german")")
fi
start=$SECONDS
maven "${settings[@]}" verify
row "Kotlin compiled, interfaces those of API $api" "yes"
python3 - "$out/maven/surefire-reports" << 'END'
import pathlib, sys, xml.etree.ElementTree as xml
for path in sorted(pathlib.Path(sys.argv[1]).glob("TEST-*.xml")):
    suite = xml.parse(path).getroot()
    cases = list(suite.iter("testcase"))
    if not cases:
        sys.exit(f"{path.name}: no test ran")
    for case in cases:
        print(f"{suite.get('name').split('.')[-1]}: {case.get('name')}\tpassed in {float(case.get('time')):.1f} s")
END
row "seconds for compiling and tests" $((SECONDS - start))

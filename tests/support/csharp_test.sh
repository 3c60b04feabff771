#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the C# binding and its tests with Mono and runs them on the library that DRAGOMAN_LIBRARY names: on Mono, or on
# the .NET runtime in the folder that DRAGOMAN_DOTNET names (with shared/Microsoft.NETCore.App/VERSION in it).
cd "$(dirname "$0")/../.." || exit 1
export DRAGOMAN_CHECK_ONLY=softmax,layer_norm  # check.check tries all kernels, which takes seconds
if ! command -v mcs >/dev/null || ! command -v mono >/dev/null; then
    echo "skipped: no mcs and mono (Debian: mono-mcs, mono-runtime)"
    exit 77
fi
set -e
root=$PWD
LD_LIBRARY_PATH="$(dirname "$DRAGOMAN_LIBRARY")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH
unset DRAGOMAN_VALIDATION  # the C API's tests run under the layer; here are a thousand loads
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
compile="mcs -langversion:6 -warnaserror -optimize"
run=mono
if [ -n "${DRAGOMAN_DOTNET:-}" ]; then
    framework=$(ls -d "$DRAGOMAN_DOTNET"/shared/Microsoft.NETCore.App/* | tail -n 1)
    for name in System.Private.CoreLib System.Private.Uri System.Runtime System.Runtime.InteropServices System.Runtime.Extensions \
                System.Console System.Linq System.Collections System.Collections.Concurrent System.Threading \
                System.Threading.Tasks System.IO.FileSystem System.Diagnostics.Process System.ComponentModel.Primitives; do
        compile="$compile -r:$framework/$name.dll"
    done
    compile="$compile -nostdlib -noconfig -nowarn:1702 -define:NETCOREAPP3_0_OR_GREATER"
    run="$DRAGOMAN_DOTNET/dotnet"
    export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
    for program in tests readme; do
        echo "{\"runtimeOptions\": {\"framework\": {\"name\": \"Microsoft.NETCore.App\", \"version\": \"${framework##*/}\"}}}" \
            > "$out/$program.runtimeconfig.json"
    done
fi
csharp=$root/bindings/csharp
python3 "$csharp/tools/make_csharp.py" "$out/generated"
$compile -unsafe -target:library -out:"$out/Dragoman.dll" -doc:"$out/Dragoman.xml" "$csharp"/src/*.cs "$out"/generated/*.cs
cp "$csharp/Dragoman.dll.config" "$out"
$compile -r:"$out/Dragoman.dll" -out:"$out/tests.dll" -target:exe "$csharp"/tests/*.cs
python3 "$csharp/tests/readme.py" "$csharp/README.md" > "$out/readme.cs"
$compile -r:"$out/Dragoman.dll" -out:"$out/readme.dll" -target:exe "$out/readme.cs"
cd "$out"
if [ $# -eq 0 ]; then
    $run readme.dll
fi
$run tests.dll "$root" "$@"

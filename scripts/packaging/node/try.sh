# SPDX-License-Identifier: Apache-2.0
# roots: bookworm
# try.sh install|translate|remove, in a fresh root. Without npm, which brings hundreds of packages in Debian: what it
# would do is to unpack and to run the script of the package.
folder=/opt/app/node_modules/dragoman
case $1 in
install)
    apt-get -qq update
    apt-get -qq -y install --no-install-recommends nodejs
    apt-get -qq -y install libvulkan1
    mkdir -p $folder
    tar -x -z -C $folder --strip-components=1 -f /packages/*.tgz
    cd $folder
    node scripts/install.js | tee /dev/stderr | grep prebuilds ;;
translate)
    cd /opt/app
    cat > first.mjs <<'END'
import { Translator } from "dragoman";
const translator = await Translator.create({ targetLanguage: "en" });
console.log(`${await translator.translate("Wo ist der Bahnhof?")}`);
await translator.close();
END
    node first.mjs ;;
remove)
    if command -v cc c++ cmake npm; then echo "expected no compiler" >&2; exit 1; fi
    rm -r $folder ;;
esac

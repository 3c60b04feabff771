# SPDX-License-Identifier: Apache-2.0
# roots: bookworm
# try.sh install|translate|remove, in a fresh root
python=/opt/venv/bin/python
case $1 in
install)
    apt-get -qq update
    apt-get -qq -y install --no-install-recommends python3 python3-venv
    apt-get -qq -y install libvulkan1
    python3 -m venv /opt/venv
    $python -m pip install --quiet --disable-pip-version-check /packages/*.whl ;;
translate)
    $python -c 'import dragoman
with dragoman.Translator(target_language="en") as translator:
    print(translator.translate("Wo ist der Bahnhof?"))' ;;
remove)
    if command -v cc c++ cmake; then echo "expected no compiler" >&2; exit 1; fi
    $python -m pip uninstall --quiet -y dragoman
    test -z "$(find /opt/venv -name '*dragoman*' | tee /dev/stderr)" ;;
esac

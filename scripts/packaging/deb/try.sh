# SPDX-License-Identifier: Apache-2.0
# roots: bookworm
# try.sh install|translate|remove, in a fresh root
case $1 in
install)
    apt-get -qq update
    apt-get -qq -y install /packages/*.deb ;;
translate)
    dragoman translate --to en "Wo ist der Bahnhof?" ;;
remove)
    # First the other half: a program made with what the development package brings.
    apt-get -qq -y install --no-install-recommends gcc libc6-dev pkg-config
    cc /packages/hello.c -o /tmp/hello $(pkg-config --cflags --libs dragoman dragoman-documents)
    /tmp/hello en "Wo ist der Bahnhof?" | grep station
    # What systemd leaves of a service that has run.
    for folder in /var/lib /var/cache; do
        mkdir -p "$folder/private/dragoman"
        ln -s private/dragoman "$folder/dragoman"
        echo kept > "$folder/private/dragoman/kept"
    done
    echo DRAGOMAN_SERVE_PORT=5001 > /etc/default/dragoman-serve
    apt-get -qq -y remove dragoman
    cat /var/lib/dragoman/kept /etc/default/dragoman-serve
    apt-get -qq -y purge dragoman dragoman-model-en-de libdragoman1 libdragoman-documents1 libdragoman-models1 libdragoman-dev
    test -z "$(find /usr /etc /var/lib /var/cache -name '*dragoman*' -not -path '/var/lib/dpkg/*' -not -path '/var/cache/man/*' | tee /dev/stderr)" ;;
esac

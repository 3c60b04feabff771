# SPDX-License-Identifier: Apache-2.0
# roots: bookworm bullseye
# said in bullseye: Bahnhof
# try.sh install|translate|remove, in a fresh root
dragoman=$(echo /opt/dragoman-*)
. /etc/os-release
case $1 in
install)
    tar -x -z -C /opt -f /packages/*.tar.gz
    apt-get -qq update
    apt-get -qq -y install libvulkan1 ;;
translate)
    if [ "$VERSION_CODENAME" = bullseye ]; then  # its Mesa has no Vulkan 1.2 on the CPU: what needs no device
        "$dragoman/bin/dragoman" info > /dev/null
        exec "$dragoman/bin/dragoman" detect "Wo ist der Bahnhof?"
    fi
    "$dragoman/bin/dragoman" translate --to en "Wo ist der Bahnhof?" ;;
remove)
    # First the other half: it works from another place, also for a program made with it.
    mv "$dragoman" /opt/moved
    apt-get -qq -y install --no-install-recommends gcc libc6-dev pkg-config
    export PKG_CONFIG_PATH=/opt/moved/lib/pkgconfig
    cc /packages/hello.c -o /tmp/hello $(pkg-config --cflags --libs dragoman) -Wl,-rpath,/opt/moved/lib
    [ "$VERSION_CODENAME" = bullseye ] || /tmp/hello en "Wo ist der Bahnhof?" | grep station
    rm -r /opt/moved ;;
esac

# SPDX-License-Identifier: Apache-2.0
# roots: bookworm bullseye
# try.sh install|translate|remove, in a fresh root
dragoman=$(echo /opt/dragoman-*)
. /etc/os-release
case $1 in
install)
    tar -x -z -C /opt -f /packages/*.tar.gz
    apt-get -qq update
    if [ "$VERSION_CODENAME" = bullseye ]; then  # its Mesa is older than Vulkan 1.2 on the CPU; Chromium's is not
        apt-get -qq -y install --no-install-recommends libvulkan1 chromium-common
    else
        apt-get -qq -y install libvulkan1
    fi ;;
translate)
    if [ "$VERSION_CODENAME" = bullseye ]; then export VK_ICD_FILENAMES=/usr/lib/chromium/vk_swiftshader_icd.json; fi
    "$dragoman/bin/dragoman" translate --to en "Wo ist der Bahnhof?" ;;
remove)
    # First the other half: it works from another place, also for a program made with it.
    mv "$dragoman" /opt/moved
    apt-get -qq -y install --no-install-recommends gcc libc6-dev pkg-config
    export PKG_CONFIG_PATH=/opt/moved/lib/pkgconfig
    cc /packages/hello.c -o /tmp/hello $(pkg-config --cflags --libs dragoman) -Wl,-rpath,/opt/moved/lib
    if [ "$VERSION_CODENAME" = bullseye ]; then export VK_ICD_FILENAMES=/usr/lib/chromium/vk_swiftshader_icd.json; fi
    /tmp/hello en "Wo ist der Bahnhof?" | grep station
    rm -r /opt/moved ;;
esac

# SPDX-License-Identifier: Apache-2.0
# Fresh roots to try packages in: debootstrap's, from the mirror that apt uses here. To be sourced; needs root's rights.
# ROOTS: the folder that they lie in.

# The address of this machine's own Debian packages, or with Debian-Security of their security updates.
own_mirror() { # LABEL
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Component: main' |
        awk -v label="$1" '$1 == label { print $2; exit }'
}

# A root with nothing but Debian's smallest set of packages, kept for the next run.
base_root() { # SUITE
    local base=$ROOTS/base-$1 mirror security
    [ -e "$base.done" ] && return
    rm -rf "$base"
    mirror=$(own_mirror Debian) security=$(own_mirror Debian-Security)
    debootstrap --variant=minbase "$1" "$base" "$mirror" > "$base.log" || { tail -5 "$base.log" >&2; return 1; }
    {
        echo "deb $mirror $1 main"
        [ -z "$security" ] || echo "deb $security $1-security main"
    } > "$base/etc/apt/sources.list"
    # Proxies and what else this machine's apt is told about fetching.
    apt-config dump Acquire | grep -E '^Acquire::(https?|Check|Retries|ForceIPv)[^ ]* "..*";' > "$base/etc/apt/apt.conf.d/90machine" || true
    rm -f "$base"/var/cache/apt/archives/*.deb
    touch "$base.done"
}

fresh_root() { # SUITE FOLDER
    base_root "$1"
    rm -rf "$2"
    cp -a "$ROOTS/base-$1" "$2"
    cp -L /etc/resolv.conf /etc/hosts "$2/etc/"
    local bundle=/etc/ssl/certs/ca-certificates.crt
    if [ -e $bundle ]; then  # registries' certificates, where they are this machine's own
        cp -L $bundle "$2/etc/machine-certificates.crt"
    fi
    # These are for the package ca-certificates, and for the store that Java makes of it.
    if compgen -G '/usr/local/share/ca-certificates/*.crt' > /dev/null; then
        mkdir -p "$2/usr/local/share/ca-certificates"
        cp -L /usr/local/share/ca-certificates/*.crt "$2/usr/local/share/ca-certificates/"
    fi
}

in_root() { # FOLDER COMMAND...; what it mounts is gone with it
    local settings
    mapfile -t settings < <(env | grep -iE '^(https?_proxy|no_proxy|PIP_INDEX_URL)=')
    if [ -e "$1/etc/machine-certificates.crt" ]; then
        settings+=({PIP_CERT,SSL_CERT_FILE,NODE_EXTRA_CA_CERTS}=/etc/machine-certificates.crt)
    fi
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1
        shift
        mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys"
        mkdir -p "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" && mount -t tmpfs tmpfs "$root/dev/shm"
        if [ -e /dev/dri ]; then mkdir -p "$root/dev/dri" && mount --bind /dev/dri "$root/dev/dri"; fi
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' sh "$1" ${settings[@]+"${settings[@]}"} "${@:2}"
}

# SPDX-License-Identifier: Apache-2.0
# Packages of Debian beside those that are installed. To be sourced.

# own_apt ARCHITECTURE STATE [SUITE [STATUS]]: sets `apt`, an apt-get with lists of its own in the folder STATE, for SUITE
# (bookworm). STATUS: dpkg's list of what is installed; without it packages come with all that they need.
# MIRROR: in place of the one that apt uses here.
own_apt() {
    local state=$2 mirror
    mkdir -p "$state"/{lists/partial,cache/archives/partial,empty}
    mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -n 1)}
    printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] '"$mirror ${3:-bookworm}"' main\n' deb deb-src \
        > "$state/sources.list"
    cp "${4:-/dev/null}" "$state/status"
    cat > "$state/apt.conf" <<CONF
Dir::State "$state";
Dir::State::Lists "$state/lists";
Dir::State::Status "$state/status";
Dir::Cache "$state/cache";
Dir::Etc::SourceList "$state/sources.list";
Dir::Etc::SourceParts "$state/empty";
Dir::Etc::Preferences "$state/none";
Dir::Etc::PreferencesParts "$state/empty";
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "true";
CONF
    apt=(env APT_CONFIG="$state/apt.conf" apt-get -qq)
    "${apt[@]}" update
}

# unpack_packages STATE FOLDER: all packages that own_apt's `apt` has fetched into STATE, without their documentation.
unpack_packages() {
    local package
    mkdir -p "$2/usr/lib"
    [ -e "$2/lib" ] || ln -s usr/lib "$2/lib"
    for package in "$1"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$2" --keep-directory-symlink --exclude=./usr/share/doc \
            --exclude=./usr/share/locale --exclude=./usr/share/man -f -
    done
}

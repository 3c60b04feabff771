# SPDX-License-Identifier: Apache-2.0
# own_apt ARCHITECTURE STATE: sets `apt`, an apt-get with lists of its own in the folder STATE, of Debian 12, as if nothing
# were installed. MIRROR: in place of the one that apt uses here.
own_apt() {
    local state=$2 mirror
    mkdir -p "$state"/{lists/partial,cache/archives/partial,sources,preferences}
    mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -n 1)}
    printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] '"$mirror"' bookworm main\n' deb deb-src \
        > "$state/sources.list"
    : > "$state/status"
    apt=(apt-get -qq -o Dir::State="$state" -o Dir::State::Lists="$state/lists" -o Dir::State::Status="$state/status"
         -o Dir::Cache="$state/cache" -o Dir::Etc::SourceList="$state/sources.list"
         -o Dir::Etc::SourceParts="$state/sources" -o Dir::Etc::Preferences="$state/none"
         -o Dir::Etc::PreferencesParts="$state/preferences" -o APT::Architecture="$1" -o APT::Architectures="$1"
         -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
         -o Debug::NoLocking=1)
    "${apt[@]}" update
}

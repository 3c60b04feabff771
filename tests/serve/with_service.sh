# SPDX-License-Identifier: Apache-2.0
# Before a block of the documentation: a service of its own, which curl reaches as localhost:5000. Where the tool has no
# service, or the machine no curl, the block is not run.
command -v curl >/dev/null && dragoman serve --help >/dev/null 2>&1 || exit 0
export XDG_STATE_HOME=$PWD/state XDG_DATA_HOME=$PWD/data HF_HUB_CACHE=$PWD/hub DRAGOMAN_MODELS_DIR=$PWD/models-here
dragoman serve --port 0 --ready-file ready --log-level error "$(readlink -f MODEL)" &
service=$!
trap 'kill $service; wait $service || true' EXIT
until [ -s ready ]; do
    kill -0 $service
    sleep 0.1
done
address=$(cat ready)
curl() { command curl --fail-with-body --silent --show-error "${@//http:\/\/localhost:5000/$address}"; }

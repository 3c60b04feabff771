# SPDX-License-Identifier: Apache-2.0
"""A local cluster of Ray for an example of the documentation, on machines that are busy with other tests, too."""
import atexit
import os
import socket

# The parts of a node may take longer to start than Ray waits; its workers give way to all others otherwise.
os.environ.update(RAY_agent_register_timeout_ms="300000", RAY_worker_register_timeout_seconds="300",
                  RAY_worker_niceness="0", RAY_memory_monitor_refresh_ms="0")
import ray  # noqa: E402, reads these variables
from ray.cluster_utils import Cluster  # noqa: E402

# Ports that the node would otherwise learn from files, for which it waits less.
PORTS = ("metrics_agent_port", "metrics_export_port", "runtime_env_agent_port", "dashboard_agent_listen_port")
CPUS = 6  # as Ray counts them: four for the actor that translates, the others for reading and writing
TRIES = 6


def head():
    free = [socket.create_server(("127.0.0.1", 0)) for _ in PORTS]
    ports = {name: server.getsockname()[1] for name, server in zip(PORTS, free)}
    for server in free:
        server.close()
    folder = os.path.expanduser("~/ray")  # the test's, which is removed with all that is in it
    node = {"num_cpus": CPUS, "include_dashboard": False, "temp_dir": folder, **ports}
    return Cluster(initialize_head=True, head_node_args=node)


def start():
    """One node, to which this process is connected. Ray gives it half a minute to start; a busy machine gets several."""
    for attempt in range(TRIES):
        try:
            cluster = head()
            break
        except Exception as error:  # noqa: BLE001, Ray has no class for it
            if "timed out during startup" not in str(error) or attempt == TRIES - 1:
                raise
    ray.init(address=cluster.address)
    # The driver first: it ends with an error where its node is gone before it.
    atexit.register(lambda: (ray.shutdown(), cluster.shutdown()))
    return cluster

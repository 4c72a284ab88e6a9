"""Starts a cluster of Dask on SLURM and runs an event on it: python slurm_jobs.py event.toml."""

import subprocess
import sys

from dask_jobqueue import SLURMCluster

if __name__ == "__main__":
    cluster = SLURMCluster(cores=1, processes=1, memory="4GB", walltime="12:00:00", protocol="tls://")
    cluster.adapt(minimum=2, maximum=32)
    command = ["ordago", "run", sys.argv[1], "--cluster", cluster.scheduler_address]
    subprocess.run(command, check=True)  # noqa: S603 - the organiser's own command

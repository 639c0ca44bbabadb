"""A Slurm of one machine, in a folder of its own, without systemd: as root, for tests."""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo", "squeue")


def free_ports(count):
    """Below those that connections are given, one of which could take a port before its daemon does."""
    given = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    ports = []
    for port in random.sample(range(given // 2, given), 100):
        with socket.socket() as each, contextlib.suppress(OSError):
            each.bind(("", port))
            ports.append(port)
    return ports[:count]


class Slurm:
    """nodes n1, n2, ... of so many GPUs each, which are character devices."""

    def __init__(self, folder, nodes, gpus):
        missing = [each for each in PROGRAMS if shutil.which(each) is None]
        if missing or os.geteuid() != 0:
            raise RuntimeError(f"no {', '.join(missing)}" if missing else "it takes root")
        self.folder = pathlib.Path(folder)
        self.nodes = [f"n{i}" for i in range(1, nodes + 1)]
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        try:
            self.start(gpus)
        except BaseException:
            self.stop()
            raise

    def start(self, gpus):
        folder, munge = self.folder, self.folder / "munge"
        folder.chmod(0o755)
        for name in ("munge", "state", "spool"):
            (folder / name).mkdir()
        (munge / "key").write_bytes(os.urandom(1024))
        (munge / "key").chmod(0o400)
        for path in (munge, munge / "key"):
            shutil.chown(path, "munge")
        subprocess.run(["su", "-s", "/bin/sh", "munge", "-c",
                        f"munged --key-file={munge}/key --socket={munge}/socket --pid-file={munge}/pid "
                        f"--log-file={munge}/log --seed-file={munge}/seed"], check=True)
        for i in range(gpus):
            os.mknod(folder / f"gpu{i}", 0o600 | 0o020000, os.makedev(1, 3))
        controller, *ports = free_ports(1 + len(self.nodes))
        lines = [
            "ClusterName=test", "SlurmctldHost=localhost", "SlurmUser=root", "SlurmdUser=root",
            "AuthType=auth/munge", f"AuthInfo=socket={munge}/socket", "MpiDefault=none",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SwitchType=switch/none",
            "ReturnToService=2", "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
            "SchedulerType=sched/backfill", f"SlurmctldPort={controller}", "SlurmdTimeout=10",
            "SlurmdParameters=config_overrides", f"SlurmctldPidFile={folder}/slurmctld.pid",
            f"SlurmdPidFile={folder}/slurmd-%n.pid", f"SlurmdSpoolDir={folder}/spool/%n",
            f"StateSaveLocation={folder}/state", f"SlurmctldLogFile={folder}/slurmctld.log",
            f"SlurmdLogFile={folder}/%n.log", "GresTypes=gpu",
            *(f"NodeName={node} NodeHostname=localhost Port={port} CPUs={gpus} Gres=gpu:{gpus} State=UNKNOWN"
              for node, port in zip(self.nodes, ports)),
            "PartitionName=gpu Nodes=ALL Default=YES State=UP"]
        (folder / "slurm.conf").write_text("\n".join(lines) + "\n")
        (folder / "gres.conf").write_text(f"NodeName={','.join(self.nodes)} Name=gpu File={folder}/gpu[0-{gpus - 1}]\n")
        self.daemon("slurmctld")
        for node in self.nodes:
            self.slurmd(node)
        self.wait(lambda: self.states().count("idle") == len(self.nodes), "nodes to be idle", 30)

    def daemon(self, *words):
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def slurmd(self, node):
        (self.folder / "spool" / node).mkdir(exist_ok=True)
        self.daemon("slurmd", "-N", node)

    def kill_slurmd(self, node):
        """Its tasks go on: they are its children's."""
        os.kill(int((self.folder / f"slurmd-{node}.pid").read_text()), signal.SIGKILL)

    def states(self):
        return subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], capture_output=True, text=True).stdout.split()

    @staticmethod
    def queue(check=True):
        """(job, state, node or why there is none) of each task."""
        rows = subprocess.run(["squeue", "-h", "-r", "-o", "%A|%T|%R"], capture_output=True, text=True, check=check)
        return [tuple(row.split("|")) for row in rows.stdout.splitlines()]

    def hurry(self):
        """Slurm leaves tasks that it requeued alone for two minutes."""
        for job, _, why in self.queue():
            if why == "(BeginTime)":
                subprocess.run(["scontrol", "update", f"JobId={job}", "StartTime=now"], stderr=subprocess.DEVNULL)

    @staticmethod
    def wait(until, what, seconds):
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise RuntimeError(f"waited {seconds} s for {what}; the queue is {Slurm.queue(check=False)}")
            time.sleep(0.1)

    def stop(self):
        for file in [*self.folder.glob("slurm*.pid"), self.folder / "munge" / "pid"]:
            try:
                pid = int(file.read_text())
                os.kill(pid, signal.SIGTERM)
                try:
                    self.wait(lambda: not pathlib.Path(f"/proc/{pid}").exists(), f"{file.name} to end", 10)
                except RuntimeError:
                    os.kill(pid, signal.SIGKILL)
            except (OSError, ValueError):  # it is not there
                pass

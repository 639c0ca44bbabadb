"""What cuvier is good for from Python. The cells (# %%) are those of a notebook."""
# %% A GPU, and what is known of its scheduler
import tempfile

import cuvier

gpu = cuvier.Device("rtx3090")
model = gpu.plausible_models()[0]
print(f"{gpu.name}: {model.name} {model.evidence}")

# %% On which SMs do two kernels meet?
meeting = {
    "name": "meeting",
    "kernels": {"first": {"blocks": 200, "threads": 256, "registers": 32},
                "second": {"blocks": 60, "threads": 512, "registers": 32}},
    "script": [{"launch": "first"}, {"launch": "second"}],
}
for name in ["algorithm-1", "rtx3090-as-recorded"]:
    steps = cuvier.Model(name, gpu).predict(meeting)["steps"]
    first, second = (set(step["started"][kernel]["sm"]) for step, kernel in zip(steps, ["first", "second"]))
    print(f"{name}: they meet on {len(first & second)} of {gpu.sms} SMs")

# %% Do persistent kernels hang, and what would help?
kernels = {"workers": {"blocks": 128, "threads": 256, "registers": 64, "shared": 218112},
           "schedulers": {"blocks": 80, "threads": 32, "registers": 32, "shared": 16384}}
answer = cuvier.fits({"kernels": kernels}, "b200")
print(f"{answer['verdict']}: {answer['reason']}")
for change in answer["changes"]:
    print(" ", change["change"])

# %% How many schedulers are safe?
for blocks in [10, 20, 40]:
    kernels["schedulers"]["blocks"] = blocks
    print(f"{blocks} schedulers: {cuvier.fits({'kernels': kernels}, 'b200')['verdict']}")


# %% An oracle of one's own: what answers probes is a class
class Mine(cuvier.Oracle):
    """Your simulator, or what runs kernels on your GPU. Here one of cuvier's stands in."""

    def __init__(self):
        self.hidden = cuvier.Simulator(cuvier.Model("selection=fewest_warps", gpu))
        super().__init__(gpu)

    def run(self, probe):
        return self.hidden.run(probe)

    def begin_session(self):
        return self.hidden.begin_session()


# %% What does it do? Only how it chooses among SMs is to be found out here
known = [f"{axis}={value}" for axis, value in cuvier.Model("algorithm-1", gpu).mechanism.items()
         if axis not in ("selection", "tie_break", "hierarchy")]
with tempfile.TemporaryDirectory() as folder:
    finding = cuvier.infer(Mine(), folder, assume=known, told=print)
print(finding)
print(f"{finding.verdict}: {finding.model.name}")

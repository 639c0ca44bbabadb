"""Just enough of WebDriver (W3C) to drive a headless Chromium by way of chromedriver."""

import base64
import json
import shutil
import subprocess
import time
import urllib.request


class Browser:
    def __init__(self, width=1200, height=900):
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), "--port=0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.url = "http://127.0.0.1:" + line.rstrip().rstrip(".").split()[-1]
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", f"--window-size={width},{height}"]
        capabilities = {"goog:chromeOptions": {"args": arguments},
                        "goog:loggingPrefs": {"browser": "ALL"}}
        session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = "/session/" + session["sessionId"]

    @staticmethod
    def is_there():
        return bool(shutil.which("chromedriver") and shutil.which("chromium"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, path):
        self._call("POST", self.session + "/url", {"url": "file://" + str(path)})

    def script(self, text, *arguments):
        """What the body of a function in the page returns."""
        return self._call("POST", self.session + "/execute/sync",
                          {"script": text, "args": list(arguments)})

    def until(self, text, seconds=20):
        """Waits for what it returns to be true."""
        end = time.monotonic() + seconds
        while not (value := self.script(text)):
            if time.monotonic() > end:
                raise TimeoutError(text)
            time.sleep(0.05)
        return value

    def size(self, width, height):
        self._devtools("Emulation.setDeviceMetricsOverride",
                       {"width": width, "height": height, "deviceScaleFactor": 1,
                        "mobile": False})

    def prefer(self, scheme):
        self._devtools("Emulation.setEmulatedMedia",
                       {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self._devtools("Input.dispatchKeyEvent", {"type": kind, "key": key})

    def console(self):
        """What the page said or got wrong since the last call."""
        return [line for line in self._call("POST", self.session + "/se/log", {"type": "browser"})
                if line["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", self.session + "/screenshot")))

    def _devtools(self, command, parameters):
        self._call("POST", self.session + "/goog/cdp/execute",
                   {"cmd": command, "params": parameters})

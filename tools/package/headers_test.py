#!/usr/bin/env python3
"""headers.py lays what a wheel has in the folder that a compiler and CMake look into, and says what it lacks."""
import contextlib
import io
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import headers


class Headers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_with(self, wheel):
        with mock.patch.object(headers, "fetched", side_effect=wheel), contextlib.redirect_stderr(io.StringIO()) as said:
            return headers.main([str(self.folder / "prefix")]), said.getvalue()

    def wheel(self, requirement, folder, without=""):
        """With one header in the folder of the package, and what is no header."""
        inside = next(inside for package, inside, _ in headers.PACKAGES if package == requirement)
        path = Path(folder) / "package.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("package/__init__.py", "")
            if not without or without not in requirement:
                archive.writestr(f"{inside}deep/header.hpp", requirement)
                archive.writestr(f"{inside}__init__.py", "")
        return path

    def test_headers_and_the_package_of_cmake(self):
        self.assertEqual(self.run_with(self.wheel), (0, ""))
        prefix = self.folder / "prefix"
        files = sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file())
        self.assertEqual(files, ["include/boost/deep/header.hpp", "include/nlohmann/deep/header.hpp",
                                 "include/xsimd/deep/header.hpp",
                                 "share/cmake/nlohmann_json/nlohmann_jsonConfig.cmake",
                                 "share/cmake/nlohmann_json/nlohmann_jsonConfigVersion.cmake"])
        version = (prefix / files[4]).read_text("utf-8")
        wanted = next(package for package, _, _ in headers.PACKAGES if package.startswith("nlohmann"))
        self.assertIn(f"set(PACKAGE_VERSION {wanted.split('==')[1]})", version)

    def test_what_is_missing_is_named(self):
        code, said = self.run_with(lambda requirement, folder: self.wheel(requirement, folder, "pythran"))
        self.assertEqual(code, 1)
        self.assertIn("pythran==0.19.0: no pythran/xsimd/", said)
        code, said = self.run_with(lambda requirement, folder: None)
        self.assertEqual(code, 1)
        self.assertIn("cannot be had", said)


if __name__ == "__main__":
    unittest.main()

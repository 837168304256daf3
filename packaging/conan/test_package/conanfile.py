"""Builds and runs the consumer of tests/house/consumer with what the recipe has made."""
from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class TestPackage(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=str(Path(self.recipe_folder, "..", "..", "..", "tests", "house", "consumer")))
        cmake.build()

    def test(self):
        if can_run(self):
            self.run(str(Path(self.build_folder, "consumer")), env="conanrun")

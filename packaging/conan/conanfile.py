"""A recipe for Conan 2: `conan create packaging/conan` builds the sources that it lies in, with packages of Conan
Center; with `--profile:all packaging/conan/debian12` with those of Debian 12."""
import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir

SOURCES = ("CMakeLists.txt", "LICENSE", "cmake/*", "cuda/*", "include/*", "src/*")
OFF = ("MCT_BUILD_VALIDATION", "MCT_BUILD_TESTS", "MCT_BUILD_BENCH", "MCT_BUILD_EXAMPLES", "MCT_WITH_MPI",
       "MCT_CCACHE", "MCT_CUDA")


class MCTensor(ConanFile):
    name = "mctensor"
    description = "Multi-component floating-point numbers with error bounds, tensors, hyperbolic geometry"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "zlib": [True, False]}
    default_options = {"shared": False, "fPIC": True, "zlib": True}

    def set_version(self):
        header = Path(self.recipe_folder, "..", "..", "include", "mctensor", "version.h")
        if header.is_file():  # in the cache of Conan the version is known
            self.version = ".".join(re.findall(r"^#define MCT_VERSION_[A-Z]+ (\d+)$", header.read_text(), re.M))

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, Path(self.recipe_folder, "..", "..").resolve(), self.export_sources_folder)

    def requirements(self):
        self.requires("boost/[>=1.74]", headers=True, libs=False, visible=False)
        self.requires("nlohmann_json/[>=3.11]", visible=False)
        self.requires("xsimd/[>=8.1]", visible=False)
        if self.options.zlib:
            self.requires("zlib/[>=1.2]")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration(f"arch={self.settings.arch}: 64-bit x86 or arm is needed")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in OFF:
            toolchain.cache_variables[option] = "OFF"
        toolchain.cache_variables["MCT_TOGETHER"] = "ON"
        toolchain.cache_variables["MCT_WITH_ZLIB"] = bool(self.options.zlib)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        rmdir(self, str(Path(self.package_folder, "lib", "cmake")))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "MCTensor")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "mctensor::core")
        core.libdirs = []
        core.cxxflags = ["-ffp-contract=off", "-fno-tree-slp-vectorize"]
        library = self.cpp_info.components["mctensor"]
        library.set_property("cmake_target_name", "mctensor::mctensor")
        library.set_property("pkg_config_name", "mctensor")
        library.requires = ["core"]
        library.libs = ["mctensor_cuda", "mctensor_devices", "mctensor"]
        library.system_libs = ["m", "pthread"] if self.settings.os == "Linux" else []
        if self.options.zlib:
            # a profile with [platform_requires] names the system's: no package of Conan whose components can be named
            if any(d.ref.name == "zlib" and d.ref.revision != "platform" for d in self.dependencies.values()):
                library.requires.append("zlib::zlib")
            else:
                library.system_libs.append("z")

# SPDX-License-Identifier: Apache-2.0
"""Conan's recipe, of this checkout: `conan create scripts/packaging/conan`.

SentencePiece and CLD2 have no recipe in Conan's index: they have to be where CMake finds them, the system's for example.
So does the Vulkan SDK (VULKAN_SDK names one). `-o "&:dependencies=system"` takes all others from there, too.
"""
import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

SOURCES = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "capi/*", "lib/*", "models/CMakeLists.txt", "models/en-de/*",
           "samples/support/*", "scripts/*", "shaders/*", "tools/*")


class Dragoman(ConanFile):
    name = "dragoman"
    package_type = "library"
    license = "Apache-2.0 AND CC-BY-SA-4.0"
    description = "Machine translation on any GPU, through Vulkan"
    topics = ("translation", "vulkan", "nlp")
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "dependencies": ["conan", "system"], "small": [True, False],
               "tool": [True, False], "model": [True, False], "cpu_kernels": [True, False]}
    default_options = {"shared": True, "fPIC": True, "dependencies": "conan", "small": False, "tool": True, "model": True,
                       "cpu_kernels": True}

    @property
    def checkout(self):
        return pathlib.Path(self.recipe_folder).parents[2]

    def set_version(self):
        text = (self.checkout / "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"^project\(dragoman VERSION ([0-9.]+)", text, re.M).group(1)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self.checkout, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        if self.options.dependencies == "system":
            return
        for reference in ("fmt/[>=9.1 <12]", "icu/[>=72.1]", "yaml-cpp/[>=0.7 <1]", "libzip/[>=1.7 <2]", "zlib/[>=1.2.11 <2]",
                          "expat/[>=2.5 <3]", "sqlite3/[>=3.40 <4]", "zstd/[>=1.5 <2]", "md4c/[>=0.4.8 <1]"):
            self.requires(reference)
        self.requires("nlohmann_json/[>=3.11 <4]", visible=False)
        if self.options.tool:
            self.requires("cli11/[>=2.3 <3]", visible=False)
            self.requires("stb/cci.20230920", visible=False)

    def build_requirements(self):
        if self.options.dependencies == "conan":
            self.tool_requires("zstd/[>=1.5 <2]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self, generator="Ninja")
        for part in ("TESTS", "SAMPLES", "BENCH"):
            toolchain.cache_variables[f"DRAGOMAN_BUILD_{part}"] = False
        toolchain.cache_variables["DRAGOMAN_MODELS"] = False
        toolchain.cache_variables["DRAGOMAN_SERVE"] = False
        toolchain.cache_variables["DRAGOMAN_BUILD_CLI"] = bool(self.options.tool)
        toolchain.cache_variables["DRAGOMAN_INSTALL_MODEL"] = bool(self.options.model)
        toolchain.cache_variables["DRAGOMAN_INSTALL_STATIC"] = not self.options.shared
        toolchain.cache_variables["DRAGOMAN_CPU_KERNELS"] = bool(self.options.cpu_kernels)
        toolchain.cache_variables["DRAGOMAN_SMALL"] = bool(self.options.small)
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        kind = "dragoman" if self.options.shared else "static"
        self.cpp_info.set_property("cmake_find_mode", "none")  # the package has its own dragomanConfig.cmake
        self.cpp_info.builddirs.append("lib/cmake/dragoman")
        self.cpp_info.set_property("cmake_target_name", f"dragoman::{kind}")
        self.cpp_info.libs = ["dragoman_documents", "dragoman"] if self.options.shared \
            else ["dragoman_documents_static", "dragoman_static"]

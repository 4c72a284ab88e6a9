"""The Conan package of the C++ SDK: ``conan create clients/cpp`` in a checkout."""

from pathlib import Path
from typing import ClassVar

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Ordago(ConanFile):
    """A static library, and the stubs that its build generates."""

    name = "ordago"
    version = "0.1.0"
    description = "Write bots for Ordago"
    license = "Apache-2.0"
    url = homepage = "https://github.com/ordago/ordago"
    topics = ("games", "cards", "bots", "grpc")
    package_type = "static-library"
    settings = "os", "compiler", "build_type", "arch"
    requires: ClassVar = ("grpc/[>=1.54 <2]", "openssl/[>=3 <4]", "protobuf/[>=3.21 <6]")
    tool_requires: ClassVar = ("grpc/<host_version>", "protobuf/<host_version>")
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"

    def export_sources(self) -> None:
        """Take the contract along, which is beside the clients in a checkout."""
        contract = Path(self.recipe_folder).parents[1] / "proto"
        copy(self, "*.proto", contract, Path(self.export_sources_folder) / "proto")

    def validate(self) -> None:
        """Refuse compilers without C++20, and other systems than Linux."""
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Ordago's SDK is for Linux")

    def layout(self) -> None:
        """Build in a folder of its own."""
        cmake_layout(self)

    def generate(self) -> None:
        """Write what CMake reads."""
        CMakeToolchain(self).generate()
        CMakeDeps(self).generate()

    def build(self) -> None:
        """Build the library alone."""
        cmake = CMake(self)
        cmake.configure({"ORDAGO_BOTS": False, "ORDAGO_TESTS": False})
        cmake.build()

    def package(self) -> None:
        """Install it, with the licence where Conan looks for it."""
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self) -> None:
        """Name the target as CMake's own package does."""
        self.cpp_info.libs = ["ordago"]
        self.cpp_info.set_property("cmake_target_name", "ordago::ordago")
        self.cpp_info.exelinkflags = ["-rdynamic"]

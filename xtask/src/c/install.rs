//! The files of the C library in a folder: header, libraries, licences, and what pkg-config, CMake and valgrind read.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::PACKAGE;
use crate::shell::{target_folder, workspace_root};

/// The version of the workspace.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the part of the version that changes with the ABI: that in the name of the shared library.
pub(super) fn abi_version() -> String {
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    if major == "0" { format!("0.{minor}") } else { major.to_owned() }
}

/// Returns the file name of the shared library, which `apps/capi/build.rs` writes into it.
pub(super) fn shared_library() -> String {
    let version = abi_version();
    if cfg!(target_os = "macos") {
        format!("libalfil.{version}.dylib")
    } else {
        format!("libalfil.so.{version}")
    }
}

/// Copies header, libraries and licences into `include`, `lib` and `share` of a folder, with files for pkg-config and
/// CMake that work wherever the folder is moved.
pub(super) fn install(prefix: &Path, dev: bool) -> anyhow::Result<()> {
    let built = target_folder().join(if dev { "debug" } else { "release" });
    let package = workspace_root().join(PACKAGE);
    let (include, lib, share) = (prefix.join("include"), prefix.join("lib"), prefix.join("share"));
    copy(package.join("include/alfil.h"), include.join("alfil.h"))?;
    if cfg!(windows) {
        copy(built.join("alfil_capi.dll"), lib.join("alfil.dll"))?;
        copy(built.join("alfil_capi.dll.lib"), lib.join("alfil.dll.lib"))?;
        copy(built.join("alfil_capi.lib"), lib.join("alfil.lib"))?;
    } else {
        let suffix = if cfg!(target_os = "macos") { "dylib" } else { "so" };
        copy(built.join(format!("libalfil_capi.{suffix}")), lib.join(shared_library()))?;
        copy(built.join("libalfil_capi.a"), lib.join("libalfil.a"))?;
        let link = lib.join(format!("libalfil.{suffix}"));
        let _ = fs::remove_file(&link);
        #[cfg(unix)]
        std::os::unix::fs::symlink(shared_library(), &link)
            .with_context(|| format!("cannot make the link {}", link.display()))?;
    }
    write(&lib.join("pkgconfig/alfil.pc"), &pkg_config())?;
    write(&lib.join("cmake/alfil/alfil-config.cmake"), &cmake_config())?;
    write(&lib.join("cmake/alfil/alfil-config-version.cmake"), &cmake_version())?;
    copy(package.join("valgrind.supp"), share.join("alfil/valgrind.supp"))?;
    let licences = share.join("licenses/alfil");
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(workspace_root().join(name), licences.join(name))?;
    }
    copy(workspace_root().join("crates/session/NOTICE"), licences.join("NOTICE"))
}

fn make_folder_of(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn copy(from: PathBuf, to: PathBuf) -> anyhow::Result<()> {
    make_folder_of(&to)?;
    // A library in use is replaced, not overwritten.
    let _ = fs::remove_file(&to);
    fs::copy(&from, &to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    make_folder_of(path)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the file for pkg-config.
fn pkg_config() -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         includedir=${{prefix}}/include\n\
         libdir=${{prefix}}/lib\n\
         \n\
         Name: alfil\n\
         Description: Boards, engine and records of xiangqi, chess and Othello\n\
         Version: {VERSION}\n\
         Cflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -lalfil\n\
         Libs.private: -lpthread -ldl -lm\n"
    )
}

/// Returns the package file for CMake.
fn cmake_config() -> String {
    let (shared, static_library) = if cfg!(windows) {
        (
            "IMPORTED_LOCATION \"${alfil_prefix}/lib/alfil.dll\"\n        \
             IMPORTED_IMPLIB \"${alfil_prefix}/lib/alfil.dll.lib\""
                .to_owned(),
            "alfil.lib",
        )
    } else {
        let name = shared_library();
        let soname = if cfg!(target_os = "macos") { format!("@rpath/{name}") } else { name.clone() };
        (
            format!(
                "IMPORTED_LOCATION \"${{alfil_prefix}}/lib/{name}\"\n        IMPORTED_SONAME \"{soname}\""
            ),
            "libalfil.a",
        )
    };
    format!(
        r#"# alfil::alfil is the shared library; alfil::static becomes part of the program.
get_filename_component(alfil_prefix "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
if(NOT TARGET alfil::alfil)
    add_library(alfil::alfil SHARED IMPORTED)
    set_target_properties(alfil::alfil PROPERTIES
        {shared}
        INTERFACE_INCLUDE_DIRECTORIES "${{alfil_prefix}}/include")
    add_library(alfil::static STATIC IMPORTED)
    set_target_properties(alfil::static PROPERTIES
        IMPORTED_LOCATION "${{alfil_prefix}}/lib/{static_library}"
        INTERFACE_INCLUDE_DIRECTORIES "${{alfil_prefix}}/include")
    if(UNIX)
        set_property(TARGET alfil::static PROPERTY INTERFACE_LINK_LIBRARIES pthread ${{CMAKE_DL_LIBS}} m)
    endif()
endif()
unset(alfil_prefix)
"#
    )
}

/// Returns the file that says to CMake for which requested versions this one will do: those of its ABI that are not
/// newer.
fn cmake_version() -> String {
    let first = abi_version();
    format!(
        r#"set(PACKAGE_VERSION "{VERSION}")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR PACKAGE_FIND_VERSION VERSION_LESS "{first}")
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
"#
    )
}

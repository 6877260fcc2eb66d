//! Gives the shared library its name for the loader, so that programs find it wherever it is installed. The name has
//! the part of the version that changes with the ABI: `0.1`, from 1.0 on `1`.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).expect("cargo gives the version");
    let (major, minor) = (part("MAJOR"), part("MINOR"));
    let version = if major == "0" { format!("0.{minor}") } else { major };
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libalfil.so.{version}"),
        Ok("macos") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libalfil.{version}.dylib");
        }
        _ => {}
    }
}

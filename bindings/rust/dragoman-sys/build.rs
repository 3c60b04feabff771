// SPDX-License-Identifier: Apache-2.0
//! Says where the library is: in the folder DRAGOMAN_LIB_DIR, else, with the feature `build`, where CMake builds it,
//! else where pkg-config finds it.
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn feature(name: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
}

fn run(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {}\n{said}", done.status);
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

/// The folder with the built library.
fn build() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("build");
    assert!(
        root.join("capi/include/dragoman/dragoman.h").exists(),
        "feature `build`: expected the library's sources in {}, which has none; without it DRAGOMAN_LIB_DIR or \
         pkg-config says where the library is",
        root.display()
    );
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(&root).arg("-B").arg(&folder).arg("-DCMAKE_BUILD_TYPE=Release");
    for part in ["CLI", "TESTS", "SAMPLES", "BENCH"] {
        configure.arg(format!("-DDRAGOMAN_BUILD_{part}=OFF"));
    }
    let mut targets = vec!["dragoman", "dragoman_documents_shared"];
    if feature("MODELS") {
        targets.push("dragoman_models_shared");
    } else {
        configure.arg("-DDRAGOMAN_MODELS=OFF");
    }
    run(&mut configure);
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "1".into());
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", &jobs, "--target"]).args(targets));
    for source in ["lib", "capi", "shaders", "CMakeLists.txt"] {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    folder.join("capi")
}

fn installed() -> PathBuf {
    let package = if feature("DOCUMENTS") { "dragoman-documents" } else { "dragoman" };
    let tool = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    for package in [package].into_iter().chain(feature("MODELS").then_some("dragoman-models")) {
        run(Command::new(&tool).args(["--print-errors", "--exists", &format!("{package} >= 1.0")]));
    }
    PathBuf::from(run(Command::new(&tool).args(["--variable=libdir", package])))
}

fn main() {
    for name in ["DRAGOMAN_LIB_DIR", "PKG_CONFIG", "PKG_CONFIG_PATH", "DOCS_RS"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation needs no library
    }
    let folder = match env::var_os("DRAGOMAN_LIB_DIR") {
        Some(folder) => PathBuf::from(folder),
        None if feature("BUILD") => build(),
        None => installed(),
    };
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:libdir={}", folder.display());
}

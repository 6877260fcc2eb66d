//! Node.js with npm, which build the page and the JavaScript packages.

use crate::shell::{command, is_available, run, workspace_root};

/// Returns why the page and the JavaScript packages cannot be built here, if so.
pub(crate) fn missing_requirement() -> Option<String> {
    let output = command(".", &["node", "--version"]).output().ok().filter(|output| output.status.success());
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let found = match version {
        Some(version) if !is_supported_node(&version) => format!("Node.js {version} is installed"),
        Some(_) if is_available(&["npm", "--version"]) => return None,
        Some(_) => "npm is not installed".to_owned(),
        None => "Node.js is not installed".to_owned(),
    };
    Some(format!(
        "Node.js 20.19+ or 22.12+ with npm is needed, but {found}; get it from https://nodejs.org, or on \
         Debian 13 with: apt-get install -y nodejs npm"
    ))
}

/// Returns whether vite runs in a version of Node.js, as `node --version` prints it: `^20.19.0 || >=22.12.0` in
/// `web/package-lock.json`.
fn is_supported_node(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(|number| number.parse::<u32>());
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    let version = (major, minor);
    ((20, 19)..(21, 0)).contains(&version) || version >= (22, 12)
}

/// Installs the packages of the lock file in a folder, unless the installed ones are newer.
///
/// # Errors
/// If npm fails.
pub(crate) fn install_packages(folder: &str) -> anyhow::Result<()> {
    let changed = |name: &str| {
        let path = workspace_root().join(folder).join(name);
        path.metadata().and_then(|file| file.modified()).ok()
    };
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_none() || installed < changed("package-lock.json") {
        run(folder, &["npm", "ci", "--no-audit", "--no-fund"])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_of_node_are_those_of_vite() {
        for version in ["v20.19.0", "v20.20.2", "v22.12.0", "v23.0.0", "v24.1.0\n"] {
            assert!(is_supported_node(version), "{version}");
        }
        for version in ["v18.20.4", "v20.18.1", "v21.7.3", "v22.11.0", "", "node"] {
            assert!(!is_supported_node(version), "{version}");
        }
    }
}

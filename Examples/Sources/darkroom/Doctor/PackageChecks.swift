/// Checks whether the installed packages of C libraries have the security fixes of ``KnownHoles``.
struct PackageChecks {
    /// Returns the text of the file at a path; `nil` when it cannot be read.
    let text: (_ path: String) -> String?

    /// The check.
    var check: Check {
        guard release == KnownHoles.debianRelease, let versions else {
            return Check(
                name: "packages", status: .note,
                finding: "security fixes of the C libraries are checked on Debian \(KnownHoles.debianRelease) only")
        }
        let missing = KnownHoles.fixes.filter { fix in
            versions[fix.package].map { DebianVersion($0) < DebianVersion(fix.version) } ?? false
        }
        guard !missing.isEmpty else {
            return Check(
                name: "packages",
                finding: "the installed C libraries have the security fixes known on \(KnownHoles.date)")
        }
        let lacks = Set(missing.map(\.package)).sorted().map { package in
            let holes = missing.filter { $0.package == package }.flatMap(\.holes)
            return "\(package) \(versions[package] ?? "") lacks the fixes of \(holes.joined(separator: ", "))"
        }
        return Check(
            name: "packages", status: .note, finding: lacks.joined(separator: "; ") + "; update with apt-get upgrade")
    }

    /// The release of Debian; `nil` for other systems.
    private var release: String? {
        let fields = (text("/etc/os-release") ?? "").split(separator: "\n")
        guard fields.contains("ID=debian") else { return nil }
        return fields.first { $0.hasPrefix("VERSION_ID=") }.map { $0.dropFirst(11).filter { $0 != "\"" } }
    }

    /// The versions of all packages that are installed.
    private var versions: [String: String]? {
        guard let status = text("/var/lib/dpkg/status") else { return nil }
        var (versions, package, isInstalled) = ([String: String](), "", false)
        for line in status.split(separator: "\n") {
            if line.hasPrefix("Package: ") { (package, isInstalled) = (String(line.dropFirst(9)), false) }
            if line.hasPrefix("Status: ") { isInstalled = line.hasSuffix(" installed") }
            if isInstalled, line.hasPrefix("Version: ") { versions[package] = String(line.dropFirst(9)) }
        }
        return versions
    }
}

/// Security fixes of the C libraries that decode untrusted bytes, as packages of Debian 12.
///
/// The source is the changelog of each package (`/usr/share/doc/PACKAGE/changelog.Debian.gz`). Whoever adds a line changes
/// the date.
enum KnownHoles {
    /// A version of a package that fixed holes.
    struct Fix {
        let package: String
        let version: String
        /// Names of the list of common vulnerabilities and exposures.
        let holes: [String]
    }

    /// The day of the table.
    static let date = "2026-11-27"

    /// The release of Debian whose packages the table has.
    static let debianRelease = "12"

    /// The fixes, oldest first for each package.
    static let fixes = [
        Fix(package: "libwebp7", version: "1.2.4-0.2+deb12u1", holes: ["CVE-2023-4863"]),
        Fix(
            package: "libpng16-16", version: "1.6.39-2+deb12u1",
            holes: ["CVE-2025-64505", "CVE-2025-64506", "CVE-2025-64720", "CVE-2025-65018", "CVE-2025-66293"]),
        Fix(package: "libpng16-16", version: "1.6.39-2+deb12u2", holes: ["CVE-2026-22695", "CVE-2026-22801"]),
        Fix(package: "libpng16-16", version: "1.6.39-2+deb12u3", holes: ["CVE-2026-25646"]),
        Fix(package: "libpng16-16", version: "1.6.39-2+deb12u4", holes: ["CVE-2026-33416", "CVE-2026-33636"]),
        Fix(package: "libpng16-16", version: "1.6.39-2+deb12u5", holes: ["CVE-2026-34757"]),
        Fix(package: "libpng16-16", version: "1.6.39-2+deb12u6", holes: ["CVE-2026-46675"]),
        Fix(package: "libgif7", version: "5.2.1-2.5+deb12u1", holes: ["CVE-2026-23868", "CVE-2026-26740"]),
        Fix(package: "liblcms2-2", version: "2.14-2+deb12u1", holes: ["CVE-2026-41254"]),
        Fix(package: "libavif15", version: "0.11.1-1+deb12u1", holes: ["CVE-2025-48174", "CVE-2025-48175"]),
        Fix(
            package: "libheif1", version: "1.15.1-1+deb12u1",
            holes: ["CVE-2023-29659", "CVE-2023-49462", "CVE-2024-41311"]),
        Fix(
            package: "libjxl0.7", version: "0.7.0-10+deb12u1",
            holes: ["CVE-2023-0645", "CVE-2023-35790", "CVE-2024-11403", "CVE-2024-11498"]),
        Fix(package: "librsvg2-2", version: "2.54.7+dfsg-1~deb12u1", holes: ["CVE-2023-38633"]),
        Fix(
            package: "libtiff6", version: "4.5.0-6+deb12u2",
            holes: ["CVE-2023-25433", "CVE-2023-26965", "CVE-2023-26966", "CVE-2023-52356", "CVE-2024-7006"]),
        Fix(package: "libtiff6", version: "4.5.0-6+deb12u3", holes: ["CVE-2025-9900"]),
        Fix(package: "libtiff6", version: "4.5.0-6+deb12u4", holes: ["CVE-2026-4775"]),
    ]
}

import Testing

@testable import DarkroomCommand

struct PackageCheckTests {
    private static let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\nVERSION_ID=\"12\"\n"

    private func check(_ status: String?, release: String = debian) -> Check {
        PackageChecks { $0 == "/etc/os-release" ? release : $0 == "/var/lib/dpkg/status" ? status : nil }.check
    }

    private func package(_ name: String, _ version: String, status: String = "install ok installed") -> String {
        "Package: \(name)\nStatus: \(status)\nPriority: optional\nVersion: \(version)\n\n"
    }

    @Test func holesOfOldPackagesAreNamed() {
        let status =
            package("libwebp7", "1.2.4-0.2") + package("libpng16-16", "1.6.39-2+deb12u4")
            + package("libgif7", "5.2.1-2.5+deb12u1")
        let check = check(status)
        #expect(check.status == .note)
        #expect(
            check.finding == "libpng16-16 1.6.39-2+deb12u4 lacks the fixes of CVE-2026-34757, CVE-2026-46675; "
                + "libwebp7 1.2.4-0.2 lacks the fixes of CVE-2023-4863; update with apt-get upgrade")
    }

    @Test func fixedAndRemovedPackagesAreSound() {
        let status =
            package("libwebp7", "1.2.4-0.2+deb12u1")
            + package("libtiff6", "4.4.0-1", status: "deinstall ok config-files")
        let check = check(status)
        #expect(check.status == .ok)
        #expect(check.finding == "the installed C libraries have the security fixes known on \(KnownHoles.date)")
    }

    @Test(arguments: [("ID=debian\nVERSION_ID=\"13\"\n", ""), ("ID=fedora\nVERSION_ID=12\n", ""), (debian, nil)])
    func otherSystemsAreNotJudged(_ release: String, _ status: String?) {
        #expect(check(status, release: release).status == .note)
    }

    /// Pairs in ascending order; `dpkg --compare-versions` agrees.
    @Test(arguments: [
        ("1.6.39-2", "1.6.39-2+deb12u1"), ("1.6.39-2+deb12u2", "1.6.39-2+deb12u10"),
        ("2.54.7+dfsg-1~deb12u1", "2.54.7+dfsg-1"),
        ("1.0~rc1", "1.0"), ("1.0", "1.0a"), ("1.0a", "1.0+"), ("9:1", "10:0"), ("1.9", "1.10"), ("1.0-1", "1.0-1.1"),
        ("2.0", "1:1.0"), ("1.0.0-9", "1.0.0-010"), ("1.0-0~", "1.0"),
    ])
    func versionsAreOrderedAsByDpkg(_ lower: String, _ higher: String) {
        #expect(DebianVersion(lower) < DebianVersion(higher))
        #expect(DebianVersion(higher) > DebianVersion(lower) && DebianVersion(lower) != DebianVersion(higher))
    }

    @Test func leadingZerosDoNotCount() {
        #expect(DebianVersion("1.01-1") == DebianVersion("1.1-1"))
        #expect(DebianVersion("0:1.0") == DebianVersion("1.0"))
    }
}

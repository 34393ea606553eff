import DarkroomTestKit
import Foundation
import Testing

/// Outputs under the names of existing files.
struct ReplacedFileTests {
    private static let image = Fixture.path("png-rgb-8.png")

    @Test(arguments: ["600", "444"])
    func permissionsAreKept(mode: String) async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(Self.replacement(in: folder, after: "chmod \(mode) a.png"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines.first?.hasSuffix(" \(mode)") == true, "\(run.lines)")
            #expect(try await Self.width(of: folder.appending(path: "a.png")) == 9)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func ownerIsKept() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(Self.replacement(in: folder, after: "chmod 640 a.png && chown 1:1 a.png"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines == ["1:1 640"])
        }
    }

    /// One user and not the group may write the file that has the list. The list of a folder is for new files.
    @Test(arguments: [("access", "a.png"), ("default", ".")])
    func accessListIsKept(kind: String, item: String) async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(
                """
                cd '\(folder.path)' && cp '\(Self.image)' a.png && chmod 660 a.png || exit 1
                cat >set.py <<'END'
                import os, struct
                entries = [(1, 6, -1), (2, 6, 1), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
                data = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
                os.setxattr("\(item)", "system.posix_acl_\(kind)", data)
                END
                cat >show.py <<'END'
                import os
                lists = [os.getxattr("a.png", name).hex() for name in os.listxattr("a.png") if "acl" in name]
                print(oct(os.stat("a.png").st_mode), lists)
                END
                python3 set.py || exit 77
                python3 show.py &&
                '\(Process.built("darkroom").path)' load a.png --no-cache -s 9x9 --in-place --quiet -o a.png &&
                python3 show.py
                """)
            // Not every file system has such lists.
            guard run.status != 77 else { return }
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines.count == 2 && run.lines.first == run.lines.last, "\(run.lines)")
            #expect(run.lines.first?.hasPrefix("0o100660 ") == true)
        }
    }

    @Test func linkStaysAndItsTargetIsReplaced() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(
                """
                cd '\(folder.path)' && mkdir originals photos && cp '\(Self.image)' originals/b.png &&
                ln -s ../originals/b.png photos/a.png &&
                '\(Process.built("darkroom").path)' load photos/ --no-cache -s 9x9 --in-place -o photos/
                """)
            #expect(run.status == 0, "\(run.errors)")
            let link = folder.appending(path: "photos/a.png").path
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../originals/b.png")
            #expect(try folder.appending(path: "originals").names == ["b.png"])
            #expect(try await Self.width(of: folder.appending(path: "originals/b.png")) == 9)
        }
    }

    /// As for `-`, nothing else is written there.
    @Test(arguments: [">copy", "| cat >copy"])
    func standardOutputUnderAnotherNameIsNotReplaced(redirection: String) async throws {
        try await withTemporaryDirectory { folder in
            let load = "load '\(Self.image)' --no-cache -s 9x9 -f png"
            let command = "'\(Process.built("darkroom").path)' \(load)"
            let run = try await bash(
                """
                cd '\(folder.path)' && ln -s /dev/fd/1 stdout && \(command) -o - >expected || exit 1
                \(command) -o stdout \(redirection)
                """)
            #expect(run.status == 0, "\(run.errors)")
            let link = folder.appending(path: "stdout").path
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/fd/1")
            let copies = try ["copy", "expected"].map { try Data(contentsOf: folder.appending(path: $0)) }
            #expect(copies[0] == copies[1])
            let both = try await bash("cd '\(folder.path)' && \(command) --json -o stdout >copy")
            #expect(both.status == 2)
            #expect(both.errors.contains("--json and --output stdout cannot both write to standard output."))
        }
    }

    /// Returns a script that runs `preparation`, makes a small picture of `a.png` in place, and prints its owner, its group
    /// and its permissions.
    private static func replacement(in folder: URL, after preparation: String) -> String {
        """
        cd '\(folder.path)' && cp '\(image)' a.png && \(preparation) &&
        '\(Process.built("darkroom").path)' load a.png --no-cache -s 9x9 --in-place --quiet -o a.png &&
        python3 -c 'import os; s = os.stat("a.png"); print(f"{s.st_uid}:{s.st_gid} {s.st_mode & 0o777:o}")'
        """
    }

    private static func width(of file: URL) async throws -> Int? {
        try await darkroom("info", file.path, "--json").objects.first?["width"] as? Int
    }
}

import DarkroomTestKit
import Foundation
import Testing

/// Pipes that another program has made non-blocking, so that the system reports an error in place of waiting.
@Suite(.bounded)
struct NonBlockingStreamTests {
    /// The arguments that write a picture larger than the buffer of a pipe.
    private static let load = [
        "load", Fixture.path("jpeg-420.jpg"), "--no-cache", "--transform", "resize:900x900", "--format", "png",
        "--output", "-",
    ]

    /// Defines `darkroom`, and `unblock`, which makes a stream of the shell non-blocking.
    private static let prelude = """
        darkroom() { '\(Process.built("darkroom").path)' "$@"; }
        unblock() { python3 -c 'import os, sys; os.set_blocking(int(sys.argv[1]), False)' $1; }
        """

    @Test func outputWaitsForItsReader() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(
                """
                \(Self.prelude)
                exec 4> >(cat >'\(folder.path)/copy')
                reader=$!
                unblock 4
                darkroom \(Self.load.map { "'\($0)'" }.joined(separator: " ")) >&4
                status=$?
                exec 4>&-
                wait $reader
                exit $status
                """)
            #expect(run.status == 0, "\(run.errors)")
            let expected = try await darkroom(Self.load).output
            #expect(try Data(contentsOf: folder.appending(path: "copy")) == expected)
        }
    }

    @Test func inputWaitsForItsWriter() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.png")
            try await darkroom(Self.load).output.write(to: file)
            let run = try await bash(
                """
                \(Self.prelude)
                exec 3< <(cat '\(file.path)')
                unblock 3
                darkroom info - --json <&3
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try run.objects.first?["width"] as? Int == 900)
        }
    }

    /// The second entry is written when the first one has been reported.
    @Test func listWaitsForItsWriter() async throws {
        try await withTemporaryDirectory { folder in
            let paths = ["png-3x5.png", "png-rgb-8.png"].map(Fixture.path)
            let run = try await bash(
                """
                \(Self.prelude)
                cd '\(folder.path)' && mkfifo reported
                exec 3< <(echo '\(paths[0])'; read -r <reported; echo '\(paths[1])')
                unblock 3
                darkroom prefetch - --json --cache cache <&3 | { read -r line; echo "$line"; echo >reported; cat; }
                exit ${PIPESTATUS[0]}
                """)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try run.objects.map { $0["source"] as? String } == paths)
        }
    }
}

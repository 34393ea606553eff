import Darkroom
import DarkroomTestKit
import Foundation
import Testing

/// Animations in files, processed by the whole command line.
struct AnimationCommandTests {
    private static let animations = ["gif-animated.gif", "webp-animated.webp"]

    @Test(arguments: animations)
    func framesWritesOneFilePerFrame(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let info = try #require(try await darkroom("info", Fixture.path(name), "--json").objects.first)
            let run = try await darkroom(
                "frames", Fixture.path(name), "--no-cache", "--output", folder.path, "--json")
            let frames = try run.objects
            #expect(run.status == 0)
            #expect(frames.count == info["frames"] as? Int)
            #expect(frames.compactMap { $0["duration"] as? Double } == info["durations"] as? [Double])
            #expect(try folder.names.map { folder.appending(path: $0).path } == frames.map { $0["path"] as? String })
            for frame in frames {
                #expect(frame["width"] as? Int == info["width"] as? Int)
                #expect(frame["height"] as? Int == info["height"] as? Int)
            }
        }
    }

    @Test(arguments: animations, ["gif", "webp", "png"])
    func animationsStayAnimated(name: String, format: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.\(format)").path
            let load = try await darkroom(
                "load", Fixture.path(name), "--no-cache", "--output", file, "--format", format, "--thumbnail", "16x16",
                "--json")
            let source = try #require(try await darkroom("info", Fixture.path(name), "--json").objects.first)
            let info = try #require(try await darkroom("info", file, "--json").objects.first)
            #expect(try load.objects.first?["frames"] as? Int == source["frames"] as? Int)
            #expect(info["format"] as? String == format)
            #expect(info["frames"] as? Int == source["frames"] as? Int)
            #expect(info["durations"] as? [Double] == source["durations"] as? [Double])
            #expect(info["loopCount"] as? Int == source["loopCount"] as? Int)
        }
    }

    @Test(arguments: animations)
    func firstFrameIsAStill(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.png").path
            let load = try await darkroom(
                "load", Fixture.path(name), "--no-cache", "--output", file, "--first-frame", "--json")
            #expect(try load.objects.first?["frames"] as? Int == 1)
            #expect(try await darkroom("info", file, "--json").objects.first?["frames"] as? Int == 1)
        }
    }

    @Test(arguments: animations)
    func animationsAsJPEGRequireFirstFrameOnly(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.jpg").path
            let arguments = [
                "load", Fixture.path(name), "--no-cache", "--output", file, "--background", "white", "--json",
            ]
            let run = try await darkroom(arguments)
            let error = try #require(try run.objects.first?["error"] as? [String: Any])
            #expect(run.status == 1)
            #expect(error["kind"] as? String == "unsupported")
            #expect(try folder.names.isEmpty)
            #expect(try await darkroom(arguments + ["--first-frame"]).status == 0)
        }
    }

    @Test(arguments: animations)
    func playingEndsAfterItsLoops(name: String) async throws {
        let arguments = ["play", Fixture.path(name), "--no-cache", "--loops", "2", "--rate", "50"]
        let info = try #require(try await darkroom("info", Fixture.path(name), "--json").objects.first)
        let (status, output) = try await PseudoTerminal(columns: 40, rows: 20).run(arguments)
        #expect(status == 0)
        #expect((2...2 * (info["frames"] as? Int ?? 0)).contains(output.numberOf("\u{1B}[?2026h")))
        #expect(output.numberOf("\u{1B}[?25l") == 1)
        #expect(output.hasSuffix("\u{1B}[0m\u{1B}[?25h"))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func interruptionsRestoreTheCursor(signal: Int32) async throws {
        let arguments = ["play", Fixture.path("gif-animated.gif"), "--no-cache", "--loops", "0"]
        var isSent = false
        let (status, output) = try await PseudoTerminal(columns: 40, rows: 20).run(arguments) { output, process in
            guard !isSent, output.numberOf("\u{1B}[?2026l") >= 2 else { return }
            isSent = true
            kill(process.processIdentifier, signal)
        }
        #expect(status == 128 + signal)
        #expect(output.numberOf("\u{1B}[?25l") == 1)
        #expect(output.hasSuffix("\u{1B}[?2026l\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h"))
    }

    @Test func cursorIsRestoredWhileTheProcessIsStopped() async throws {
        let arguments = ["play", Fixture.path("gif-animated.gif"), "--no-cache", "--loops", "0"]
        var sent = 0
        let (status, output) = try await PseudoTerminal(columns: 40, rows: 20).run(arguments) { output, process in
            switch sent {
            case 0 where output.contains("\u{1B}[?2026l"):
                kill(process.processIdentifier, SIGTSTP)
                sent = 1
            case 1 where output.hasSuffix("\u{1B}[?25h"):
                // The process stops itself after that: a signal sent earlier would be lost, and it would stop for good.
                var info = unsafe siginfo_t()
                _ = unsafe waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WNOWAIT)
                kill(process.processIdentifier, SIGCONT)
                sent = 2
            case 2 where output.numberOf("\u{1B}[?25l") == 2:
                kill(process.processIdentifier, SIGTERM)
                sent = 3
            default: break
            }
        }
        #expect(status == 128 + SIGTERM)
        #expect(output.numberOf("\u{1B}[?25h") == 2)
    }

    @Test func limitsOfAnimationsAreChecked() async throws {
        let run = try await darkroom(
            "load", Fixture.path("gif-animated.gif"), "--no-cache", "--limit", "animationPixelCount=100")
        #expect(run.status == 3)
        #expect(run.errors.contains("raise it with --limit animationPixelCount"))
    }
}

import CHostile
import DarkroomCore
import DarkroomIsolation
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

/// Outcomes of decoding a file that does something hostile.
private enum Outcome: Hashable {
    case crash
    case error(ImageError.Kind)
    /// The call was refused with this error number, and decoding went on.
    case refused(Int32)
    case permitted
    case decoded
}

/// Something that a decoder does that was taken over.
struct HostileAct: CustomTestStringConvertible {
    let name: String
    var phase = "pixels"
    fileprivate let outcome: Outcome
    /// Where the outcome is another one.
    fileprivate var exceptions: [TestEnvironment: Outcome] = [:]

    var testDescription: String { "\(phase): \(name)" }

    private static let crashes = [
        "segfault", "overflow", "abort", "trap", "exit", "stop", "wait", "socket", "killParent", "killInit",
        "signalThread",
        "execute", "trace", "pause", "otherTable", "x32", "executable", "writeInput", "garbage", "empty", "short",
        "forge",
        "flood", "descriptors", "closeChannel", "doze", "returnFromSignal",
    ]

    private static let lies: [HostileAct] = [
        HostileAct(name: "hugeSize", phase: "header", outcome: .error(.overLimit)),
        HostileAct(name: "largeSize", phase: "header", outcome: .error(.overLimit)),
        HostileAct(name: "noSize", phase: "header", outcome: .error(.corrupt)),
        HostileAct(name: "negativeFrames", phase: "header", outcome: .crash),
        HostileAct(name: "framesWithoutDurations", phase: "header", outcome: .crash),
        HostileAct(name: "bits", phase: "header", outcome: .crash),
        HostileAct(name: "otherFormat", phase: "header", outcome: .crash),
        HostileAct(name: "otherSize", outcome: .decoded),
    ]

    static let all =
        crashes.map { HostileAct(name: $0, outcome: .crash) } + lies + [
            HostileAct(name: "segfault", phase: "header", outcome: .crash),
            HostileAct(name: "segfault", phase: "recognition", outcome: .crash),
            HostileAct(name: "allocate", outcome: .crash),
            HostileAct(name: "loop", outcome: .error(.overLimit)),
            HostileAct(name: "open", outcome: .refused(EACCES)),
            HostileAct(name: "status", outcome: .refused(EACCES), exceptions: [.folders: .permitted]),
            HostileAct(name: "create", outcome: .refused(EACCES)),
            HostileAct(name: "makeWritable", outcome: .refused(EACCES)),
            HostileAct(name: "truncate", outcome: .refused(EACCES)),
            HostileAct(name: "openToWrite", outcome: .refused(EACCES)),
            HostileAct(name: "lock", outcome: .refused(EPERM)),
            HostileAct(name: "advise", outcome: .refused(EPERM)),
            HostileAct(name: "blockSignal", outcome: .refused(EPERM)),
            HostileAct(name: "ignoreSignal", outcome: .crash, exceptions: [.threads: .refused(EPERM)]),
            HostileAct(name: "renice", outcome: .crash, exceptions: [.threads: .refused(EPERM)]),
            HostileAct(name: "signalOwner", outcome: .crash, exceptions: [.folders: .refused(EPERM)]),
            HostileAct(name: "fork", outcome: .crash, exceptions: [.threads: .refused(EPERM)]),
            HostileAct(name: "thread", outcome: .crash, exceptions: [.threads: .permitted]),
        ]
}

@Suite(.withoutThreadSanitizer) struct HostileTests {
    private static let good = Bitmap.testCard(40, 30)

    @Test(.bounded, arguments: HostileAct.all, TestEnvironment.allCases)
    func anActCostsAtMostOnePicture(_ act: HostileAct, _ environment: TestEnvironment) throws {
        // The address sanitizer reserves more than any limit, and its memory is that of the machine.
        if hostile_is_address_sanitized(), act.name == "allocate" { return }
        let coders = try environment.pool.coders
        var limits = DecodeLimits.default
        limits.workTime = .milliseconds(act.name == "loop" ? 50 : 10_000)
        let context = ImageContext { $0.limits = limits }
        let expected = act.exceptions[environment] ?? act.outcome
        #expect(outcome(of: HostileCoder.file(act.name, in: act.phase), coders, context) == expected)
        let file = try localCoders.encode(
            Image(info: .init(format: .png, storedSize: Self.good.size), bitmap: Self.good))
        for _ in 0..<3 { #expect(try coders.decode(file).bitmap == Self.good) }
    }

    private func outcome(of file: Data, _ coders: CoderRegistry, _ context: ImageContext) -> Outcome {
        do {
            _ = try coders.decode(file, context: context)
            return .decoded
        } catch {
            guard error.kind == .unsupported,
                let result = error.message.split(separator: " ").last.flatMap({ Int32($0) })
            else { return error.kind == .crashed ? .crash : .error(error.kind) }
            return result == 0 ? .permitted : .refused(-result)
        }
    }
}

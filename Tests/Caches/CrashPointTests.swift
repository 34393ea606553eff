import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// The promise of `DiskDataCache` about crashes, on simulated disks: all calls of a scenario are recorded, and the cache is
/// opened on what is left of them after a crash.
///
/// A part of all crashes is simulated. `DARKROOM_CRASHES=all` simulates each call as the last one, and each with every loss:
///
///     DARKROOM_CRASHES=all swift test -c release -Xswiftc -enable-testing --filter CrashPointTests
@Suite(.bounded) struct CrashPointTests {
    private static let isComplete = ProcessInfo.processInfo.environment["DARKROOM_CRASHES"] == "all"

    /// The work of the killed process stays: the system has it in memory.
    @Test func killedProcessLeavesWhatItHasDone() async throws {
        let recording = try await CrashRecording()
        for count in recording.prefixes(of: Self.isComplete ? 1 : 4) {
            for isTorn in [false, true] {
                let disk = recording.disk(after: count, isTorn: isTorn)
                try await recording.check(disk, .kill(count), "killed after \(count) calls, torn: \(isTorn)")
            }
        }
    }

    /// Effects that were not written yet are lost, in any combination.
    @Test func powerFailureLeavesWholeEntriesOrNone() async throws {
        let recording = try await CrashRecording()
        var random = SeededGenerator(seed: 1)
        for count in recording.prefixes(of: Self.isComplete ? 1 : 12) {
            for loss in PowerLoss.all(of: Self.isComplete ? 12 : 2, using: &random) {
                let disk = recording.disk(after: count, loss)
                try await recording.check(disk, .power, "\(loss) after \(count) calls")
            }
        }
    }

    /// Each effect of the whole scenario is lost alone.
    @Test func anySingleLossLeavesWholeEntriesOrNone() async throws {
        let recording = try await CrashRecording()
        let count = recording.effectCount
        for index in stride(from: 0, to: count, by: Self.isComplete ? 1 : 29) {
            let disk = recording.disk(after: recording.journal.count, .one(index))
            try await recording.check(disk, .power, "effect \(index) of \(count) lost")
        }
    }
}

/// Which effects do not reach the disk.
enum PowerLoss: CustomStringConvertible, Sendable {
    /// All bytes, but no lengths and names.
    case bytes
    /// All bytes and lengths of files.
    case contents
    /// All that is about names, but for folders.
    case names
    /// The effects on the file of totals since an earlier call.
    case usage(since: Double)
    /// The effects on all other files since an earlier call.
    case entries(since: Double)
    /// All of the last part.
    case end(since: Double)
    /// This one.
    case one(Int)
    /// Each with this probability. Bytes may be lost in part.
    case some(Double, seed: UInt64)

    /// Returns one of each kind, and `count` random ones.
    static func all(of count: Int, using random: inout SeededGenerator) -> [PowerLoss] {
        let since = Double.random(in: 0..<1, using: &random)
        return [
            .bytes, .contents, .names, .usage(since: 0), .usage(since: since), .entries(since: since),
            .end(since: since),
        ]
            + (0..<count).map { _ in
                .some([0.02, 0.1, 0.5, 0.9].randomElement(using: &random)!, seed: random.next())
            }
    }

    /// Returns what is left of the effects. `usage` are the files of totals.
    func rest(of effects: [DiskEffect], usage: Set<Int>) -> [DiskEffect] {
        var random = SeededGenerator(seed: 0)
        if case .some(_, let seed) = self { random = SeededGenerator(seed: seed) }
        return effects.enumerated().compactMap { index, effect in
            isLost(effect, at: index, of: effects.count, usage, using: &random)
                ? effect.remains(self, using: &random) : effect
        }
    }

    private func isLost(
        _ effect: DiskEffect, at index: Int, of count: Int, _ usage: Set<Int>, using random: inout SeededGenerator
    ) -> Bool {
        func isLate(_ since: Double) -> Bool { Double(index) >= since * Double(count) }
        return switch self {
        case .bytes: effect.isBytes
        case .contents: effect.file != nil && !effect.isLink
        case .names: effect.isLink
        case .usage(let since): isLate(since) && effect.file.map(usage.contains) == true
        case .entries(let since): isLate(since) && effect.file.map(usage.contains) != true
        case .end(let since): isLate(since)
        case .one(let lost): index == lost
        case .some(let probability, _): Double.random(in: 0..<1, using: &random) < probability
        }
    }

    var description: String {
        switch self {
        case .bytes: "bytes lost"
        case .contents: "contents lost"
        case .names: "names lost"
        case .usage(let since): "totals lost since \(since)"
        case .entries(let since): "entries lost since \(since)"
        case .end(let since): "everything lost since \(since)"
        case .one(let index): "effect \(index) lost"
        case .some(let probability, let seed): "effects lost with probability \(probability), seed \(seed)"
        }
    }
}

extension DiskEffect {
    /// The file that it changes.
    fileprivate var file: Int? {
        switch self {
        case .link(_, let file), .bytes(_, let file, _), .length(_, let file), .cut(_, let file),
            .times(_, _, let file):
            file
        case .unlink, .folder, .removeFolder, .moveFolder: nil
        }
    }

    fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }

    fileprivate var isLink: Bool {
        switch self {
        case .link, .unlink: true
        default: false
        }
    }

    /// The rest of a lost effect: of some bytes, the first ones.
    fileprivate func remains(_ loss: PowerLoss, using random: inout SeededGenerator) -> DiskEffect? {
        guard case .bytes(let bytes, let file, let offset) = self, case .some = loss, Bool.random(using: &random) else {
            return nil
        }
        return .bytes(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), file: file, offset: offset)
    }
}

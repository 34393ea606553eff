import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCaches

/// A `CrashScenario` in which system calls fail, whichever they are.
///
/// Some calls fail by default. With `DARKROOM_CRASHES=all` each of them does:
///
///     DARKROOM_CRASHES=all swift test -c release -Xswiftc -enable-testing --filter CallFaultTests
struct CallFaultTests {
    enum Fault: CaseIterable, Sendable {
        case diskFull, diskFullFromThenOn, brokenDisk
    }

    private static let isComplete = ProcessInfo.processInfo.environment["DARKROOM_CRASHES"] == "all"

    /// Each call is interrupted by a signal before it succeeds.
    @Test(.bounded) func everyCallMayBeInterrupted() async throws {
        let undisturbed = try await Self.contents { _ in nil }
        let isNext = Mutex(false)
        let calls = Recorder<FileOperation>()
        let interrupted = try await Self.contents { call in
            let interrupts = isNext.withLock { isNext in
                isNext.toggle()
                return isNext
            }
            guard !interrupts else { return SystemError(code: EINTR) }
            calls.note(call)
            return nil
        }
        #expect(interrupted == undisturbed)
        #expect(Set(calls.values) == Set(FileOperation.allCases))
    }

    @Test(.timeLimit(.minutes(isComplete ? 120 : 10)), arguments: Fault.allCases)
    func entriesAndTotalsAreSoundWhicheverCallFails(_ fault: Fault) async throws {
        let count = Mutex(0)
        _ = try await Self.contents { _ in
            count.withLock { $0 += 1 }
            return nil
        }
        let stride = stride(from: 0, to: count.withLock(\.self), by: Self.isComplete ? 1 : 7)
        for number in stride { try await Self.checkFailure(of: fault, at: number) }
    }

    /// Returns what the cache has after each step, if calls fail with the errors that `fault` returns.
    private static func contents(
        _ fault: @escaping @Sendable (FileOperation) -> SystemError?
    ) async throws -> [[CacheKey: DataEntry]] {
        let folder = try TemporaryDirectory()
        let scenario = CrashScenario(root: folder.url)
        let cache = try await scenario.open(faults(fault))
        var contents: [[CacheKey: DataEntry]] = []
        for step in CrashScenario.steps {
            try await step.body(scenario, cache)
            contents.append(try scenario.contents())
        }
        return contents
    }

    private static func faults(_ fault: @escaping @Sendable (FileOperation) -> SystemError?) -> FileFaults {
        FileFaults { call, byteCount throws(SystemError) in
            if let error = fault(call) { throw error }
            return byteCount
        }
    }

    private static func checkFailure(of fault: Fault, at number: Int) async throws {
        let folder = try TemporaryDirectory()
        let scenario = CrashScenario(root: folder.url)
        let left = Mutex(number)
        let faults = faults { call in
            let count = left.withLock { left in
                left -= 1
                return left + 1
            }
            return switch fault {
            case .brokenDisk where count == 0: SystemError(code: EIO)
            case .diskFull where count == 0 && FileOperation.needingSpace.contains(call): SystemError(code: ENOSPC)
            case .diskFullFromThenOn where count <= 0 && FileOperation.needingSpace.contains(call):
                SystemError(code: ENOSPC)
            default: nil
            }
        }
        guard let cache = try? await scenario.open(faults) else { return }
        for step in CrashScenario.steps {
            let isDone = (try? await step.body(scenario, cache)) != nil
            // Other processes, and other caches of this one, would wait for ever.
            try #require(!scenario.isLocked, "\(step.name): \(fault) at call \(number)")
            guard isDone, !step.absent.isEmpty else { continue }
            let found = try scenario.contents()
            #expect(step.absent.allSatisfy { found[$0] == nil }, "\(step.name): \(fault) at call \(number)")
        }
        for name in ["cache", "moved"] {
            try CrashCheck(CrashScenario.path(in: folder.url, name), .current, "\(name): \(fault) at call \(number)")
                .run()
        }
    }
}

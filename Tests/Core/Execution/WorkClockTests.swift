@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.bounded)
struct WorkClockTests {
    @Test func clockAdvancesOnlyDuringWork() {
        let clock = WorkClock(limit: .seconds(10))
        #expect(clock.timeSpent == .zero)
        clock.run {
            let before = clock.timeSpent
            while clock.timeSpent == before {}
        }
        let spent = clock.timeSpent
        #expect(spent > .zero && spent == clock.timeSpent)
    }

    @Test func timeOfConcurrentWorkIsSummed() {
        let clock = WorkClock(limit: .seconds(10))
        clock.add(timeSpent: .seconds(4))
        #expect(!clock.run { clock.hasRunOut })
        clock.run { clock.add(timeSpent: .seconds(5)) }
        #expect(!clock.hasRunOut && clock.timeSpent >= .seconds(9))
        clock.add(timeSpent: .seconds(1))
        #expect(clock.hasRunOut)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func zeroLimitIsExceededFromTheStart(_ limit: Duration) {
        let clock = WorkClock(limit: limit)
        #expect(clock.hasRunOut && clock.run { clock.hasRunOut })
    }

    @Test(arguments: [nil, Duration.seconds(Int64.max), .seconds(1_000_000_000_000)])
    func hugeLimitsDoNotTrap(_ limit: Duration?) {
        let clock = WorkClock(limit: limit)
        clock.add(timeSpent: .seconds(1e12))
        clock.run { clock.add(timeSpent: .seconds(1)) }
        #expect(clock.timeSpent > .zero)
    }

    @Test func additionsWithoutEndDoNotTrap() {
        let clock = WorkClock(limit: .seconds(10))
        clock.run {
            for _ in 0..<20 { clock.add(timeSpent: .nanoseconds(Int.max)) }
            #expect(clock.hasRunOut)
        }
        for _ in 0..<20 { clock.add(timeSpent: .nanoseconds(Int.max)) }
        #expect(clock.hasRunOut && clock.timeLeft < .zero && clock.timeSpent > .seconds(10))
    }

    @Test func concurrentAdditionsAreSummed() {
        let clock = WorkClock(limit: .seconds(1000))
        DispatchQueue.concurrentPerform(iterations: 800) { _ in clock.add(timeSpent: .seconds(1)) }
        #expect(clock.timeLeft == .seconds(200))
    }

    @Test(arguments: 0..<50) func onlyTheTimeOfTheProcessorCounts(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        let readings = ManualReadings()
        let clock = WorkClock(limit: .seconds(1e-6), readings: readings.all)
        var worked = 0
        for _ in 0..<20 {
            clock.run {
                for _ in 0..<20 {
                    let work = Int.random(in: 0...9, using: &random)
                    readings.advance(by: work + Int.random(in: 0...900, using: &random), worked: work)
                    worked += work
                    #expect(clock.hasRunOut == (worked >= 1000))
                }
            }
            readings.advance(by: 500, worked: 500)
            #expect(clock.timeSpent == .nanoseconds(worked))
        }
    }

    @Test func runningClockCountsTheThreadThatReadsIt() async throws {
        let readings = ManualReadings()
        let clock = WorkClock(limit: .seconds(1e-6), readings: readings.all)
        clock.restart()
        for name in ["one", "other"] {
            let hasRunOut = try await WorkExecutor(name: name, width: 1).run {
                readings.advance(by: 2000, worked: 0)
                let hasRunOut = clock.hasRunOut
                readings.advance(by: 600, worked: 600)
                return [hasRunOut, clock.hasRunOut, clock.timeSpent > .nanoseconds(500)]
            }
            #expect(hasRunOut == [false, name == "other", true])
        }
    }

    @Test func loadThatWaitsForAProcessorIsNotRefused() async throws {
        let (other, limit) = (WorkExecutor(name: "other", width: 1), Duration.milliseconds(300))
        let coder = PlainCoder { request in
            let isOver = DispatchSemaphore(value: 0)
            other.enqueue {
                let clock = WorkClock(limit: limit)
                clock.run { while !clock.hasRunOut {} }
                isOver.signal()
            }
            isOver.wait()
            try request.checkCancellation()
        }
        let result = try await Darkbox { $0.install(coder) }.load { $0.limits.workTime = limit }
        #expect(result.report.workTime < limit)
    }

    @Test(.bug(id: "14.4b"))
    func decodeAndEncodeShareAClock() throws {
        let registry = CoderRegistry([PlainCoder()])
        let clock = WorkClock(limit: .seconds(100))
        let image = try registry.decode(PlainCoder.file(of: .testCard(8, 8)), clock: clock)
        let spent = clock.timeSpent
        #expect(spent > .zero)
        _ = try registry.encode(image, clock: clock)
        #expect(clock.timeSpent > spent)
        clock.add(timeSpent: .seconds(100))
        let error = #expect(throws: ImageError.self) { try registry.encode(image, clock: clock) }
        #expect(error?.kind == .overLimit && error?.stage == .encode)
    }

    @Test(.bug(id: "14.4b"))
    func endlessTransformExceedsTheLimit() async {
        struct Endless: ImageTransformer {
            let identifier = "Endless()"
            func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
                while true { try request.checkCancellation() }
            }
        }
        let error = await #expect(throws: ImageError.self) {
            try await Darkbox().load {
                $0.transformers = [Endless()]
                $0.limits.workTime = .milliseconds(50)
            }
        }
        #expect(error?.kind == .overLimit && error?.stage == .transform)
        #expect(error?.message.contains("context.limits.workTime") == true)
    }

    @Test(.bug(id: "14.4b"))
    func tooManyTransformersAreRefused() async throws {
        struct Nothing: ImageTransformer {
            var identifier = "Nothing()"
            var transformerCount = 1
            func transform(_ bitmap: Bitmap, for request: TransformRequest) -> Bitmap { bitmap }
        }
        _ = try await Darkbox().load { $0.transformers = Array(repeating: Nothing(), count: 64) }
        for many in [Array(repeating: Nothing(), count: 65), [Nothing(transformerCount: 65)]] {
            let error = await #expect(throws: ImageError.self) {
                try await Darkbox().load { $0.transformers = many }
            }
            #expect(error?.kind == .overLimit)
            #expect(error?.message.hasPrefix("transformerCount is 65, and the limit is 64") == true)
        }
    }
}

/// Two clocks that advance only when a test says so.
private final class ManualReadings: Sendable {
    private let state = Mutex((passed: 1_000_000, worked: 5_000))

    var all: WorkReadings {
        WorkReadings(
            passed: { [self] in state.withLock(\.passed) }, worked: { [self] in state.withLock(\.worked) })
    }

    func advance(by nanoseconds: Int, worked: Int) {
        state.withLock {
            $0.passed += nanoseconds
            $0.worked += worked
        }
    }
}

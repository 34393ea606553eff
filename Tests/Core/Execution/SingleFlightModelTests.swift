@testable import DarkroomCore
import DarkroomTestKit
import Synchronization
import TestSupport
import Testing

/// Random schedules of joining, leaving, finishing, failing and changing the urgency, compared with a model that is a
/// mere dictionary.
@Suite(.bounded)
struct SingleFlightModelTests {
    // Blocks of schedules, so that a failure names a small range.
    @Test(arguments: 0..<20)
    func everyScheduleMatchesTheModel(block: UInt64) async {
        for seed in (block * 1000)..<(block * 1000 + 1000) {
            var schedule = Schedule(seed: seed)
            await schedule.run()
        }
    }
}

private typealias Flights = SingleFlight<Int, Int, Int>

/// The work of one run, which continues until the schedule ends it.
private final class Work: Sendable {
    let number: Int
    private let ending = Recorder<Result<Int, any Error>>()
    private let started = Recorder<Flights.Run>()
    private let observed = Mutex<LoadPriority?>(nil)

    init(number: Int) { self.number = number }

    /// Performs the work of the run.
    func perform(_ run: Flights.Run) async throws -> Int {
        // Reads under a lock, so that an older value never replaces a newer one.
        let read: @Sendable () -> Void = { [self] in observed.withLock { $0 = run.urgency.priority } }
        let watch = run.urgency.watch(read)
        read()
        started.note(run)
        await ending.waitForValues(1)
        withExtendedLifetime(watch) {}
        return try ending.values[0].get()
    }

    /// Ends the work, even after it was abandoned.
    func end(_ result: Result<Int, any Error>) { ending.note(result) }

    /// Whether the run was cancelled, because it has no waiters.
    var isCancelled: Bool {
        get async {
            await started.waitForValues(1)
            return started.values[0].cancellation.isSet
        }
    }

    /// The priority of the run, and the last one that its observer has read.
    var priorities: Set<LoadPriority?> {
        get async {
            await started.waitForValues(1)
            return [started.values[0].urgency.priority, observed.withLock { $0 }]
        }
    }
}

private struct Schedule {
    private struct Caller {
        let task: Task<Int, any Error>
        let key: Int
        let urgency: Urgency
    }

    /// The model of an in-flight run.
    private struct Run {
        let work: Work
        var callers: Set<Int> = []
    }

    private let flights = Flights()
    private let seed: UInt64
    private var random: SeededGenerator
    private var callers: [Int: Caller] = [:]
    private var runs: [Int: Run] = [:]
    private var abandoned: [Work] = []
    private var lastNumber = 0
    /// The actor of the callers. With one, work starts on another thread; that is so for every second seed.
    private let isolation: (any Actor)?

    init(seed: UInt64) {
        self.seed = seed
        isolation = seed.isMultiple(of: 2) ? nil : MainActor.shared
        random = SeededGenerator(seed: seed)
    }

    mutating func run() async {
        for _ in 0..<Int.random(in: 4...16, using: &random) { await step() }
        for key in Array(runs.keys) { await finish(key, fails: false) }
        for work in abandoned { work.end(.success(-1)) }
        check(flights.count == 0, "a run is left")
    }

    private mutating func step() async {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: join(Int.random(in: 0..<2, using: &random))
        case 5..<7: if let caller = callers.keys.sorted().randomElement(using: &random) { await leave(caller) }
        case 7: if let key = runs.keys.sorted().randomElement(using: &random) { await finish(key, fails: false) }
        case 8: if let key = runs.keys.sorted().randomElement(using: &random) { await finish(key, fails: true) }
        case 9, 10: if let caller = callers.keys.sorted().randomElement(using: &random) { change(caller) }
        // An abandoned run ends late, and must not affect other runs.
        default: abandoned.popLast()?.end(.success(-1))
        }
        check(flights.count == runs.count, "there are \(flights.count) runs, but \(runs.count) in the model")
        for run in runs.values {
            let wanted = run.callers.compactMap { callers[$0]?.urgency.priority }.max { $0.rawValue < $1.rawValue }
            let priorities = await run.work.priorities
            check(priorities == [wanted], "the priorities are \(priorities), but \([wanted]) in the model")
        }
    }

    private mutating func change(_ number: Int) {
        if let urgency = callers[number]?.urgency { urgency.priority = randomPriority() }
    }

    private mutating func randomPriority() -> LoadPriority { LoadPriority.allCases.randomElement(using: &random)! }

    private mutating func join(_ key: Int) {
        lastNumber += 1
        let number = lastNumber
        let work = Work(number: number)
        let urgency = Urgency(randomPriority())
        // The task runs to its first suspension at once, so it has joined when this returns.
        let task = Task.immediate { [flights, isolation] in
            try await flights.value(for: key, urgency: urgency, isolation: isolation) { try await work.perform($0) }
        }
        callers[number] = Caller(task: task, key: key, urgency: urgency)
        runs[key, default: Run(work: work)].callers.insert(number)
    }

    private mutating func leave(_ number: Int) async {
        guard let caller = callers.removeValue(forKey: number) else { return }
        caller.task.cancel()
        let error = await caller.task.result.error as? ImageError
        check(error?.kind == .cancelled, "a cancelled caller threw \(String(describing: error))")
        runs[caller.key]?.callers.remove(number)
        guard let run = runs[caller.key] else { return check(false, "a caller waited without a run") }
        let isAlone = run.callers.isEmpty
        check(await run.work.isCancelled == isAlone, "the cancellation of the work does not match its waiters")
        guard isAlone else { return }
        runs[caller.key] = nil
        abandoned.append(run.work)
    }

    private mutating func finish(_ key: Int, fails: Bool) async {
        guard let run = runs.removeValue(forKey: key) else { return }
        run.work.end(fails ? .failure(ImageError(.network, .load, "\(run.work.number)")) : .success(run.work.number))
        for number in run.callers.sorted() {
            guard let caller = callers.removeValue(forKey: number) else { continue }
            switch await caller.task.result {
            case .success(let value): check(!fails && value == run.work.number, "a caller received the value \(value)")
            case .failure(let error):
                check(fails && "\(error)".contains("\(run.work.number)"), "a caller threw \(error)")
            }
        }
    }

    private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { Issue.record("schedule \(seed): \(message())") }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

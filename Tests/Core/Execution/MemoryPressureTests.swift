@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A directory with the files of `/proc` and `/sys/fs/cgroup` that the reader uses.
private final class FakeKernel: Sendable {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            at: directory.url.appending(path: "app"), withIntermediateDirectories: true)
        try write("groups", "0::/app\n")
    }

    /// Writes a file atomically.
    func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: directory.url.appending(path: path), options: .atomic)
    }

    func writeStalls(_ path: String = "stalls", some: Int, full: Int, average: Double = 0) throws {
        try write(
            path,
            "some avg10=\(average) avg60=0.00 avg300=0.00 total=\(some)\n"
                + "full avg10=0.00 avg60=0.00 avg300=0.00 total=\(full)\n")
    }

    func makeReader() -> MemoryPressureReader {
        var reader = MemoryPressureReader()
        reader.stallFile = directory.url.appending(path: "stalls").path
        reader.groups = ControlGroups(
            file: directory.url.appending(path: "groups").path, folder: directory.url.path)
        return reader
    }
}

@Suite(.bounded)
struct MemoryPressureTests {
    private let kernel: FakeKernel

    init() throws { kernel = try FakeKernel() }

    @Test func kernelWithoutFilesMeansNoPressure() {
        var reader = kernel.makeReader()
        #expect(reader.read(after: .seconds(1)) == .normal)
    }

    @Test(arguments: [
        (149_999, 0, MemoryPressure.normal), (150_000, 149_999, .warning), (150_000, 150_000, .critical),
        (1_000_000, 0, .warning), (-1, 0, .normal),
    ])
    func stallTimeDeterminesPressure(some: Int, full: Int, expected: MemoryPressure) throws {
        var reader = kernel.makeReader()
        try kernel.writeStalls(some: 5_000_000, full: 5_000_000)
        #expect(reader.read(after: .zero) == .normal)
        try kernel.writeStalls(some: 5_000_000 + some, full: 5_000_000 + full)
        #expect(reader.read(after: .seconds(1)) == expected)
        #expect(reader.read(after: .seconds(1)) == .normal)
    }

    @Test func firstReadingUsesTheAverage() throws {
        var reader = kernel.makeReader()
        try kernel.writeStalls(some: 1, full: 0, average: 15)
        #expect(reader.read(after: .zero) == .warning)
    }

    @Test func stallsOfTheGroupCount() throws {
        var reader = kernel.makeReader()
        try kernel.writeStalls("app/memory.pressure", some: 0, full: 0)
        #expect(reader.read(after: .zero) == .normal)
        try kernel.writeStalls("app/memory.pressure", some: 900_000, full: 0)
        #expect(reader.read(after: .seconds(2)) == .warning)
    }

    @Test(arguments: [("high", MemoryPressure.warning), ("max", .warning), ("oom", .critical), ("low", .normal)])
    func eventOfAGroupCountsOnce(event: String, expected: MemoryPressure) throws {
        var reader = kernel.makeReader()
        try kernel.write("app/memory.events", "\(event) 7\n")
        #expect(reader.read(after: .seconds(1)) == .normal)
        try kernel.write("app/memory.events", "\(event) 8\n")
        #expect(reader.read(after: .seconds(1)) == expected)
        #expect(reader.read(after: .seconds(1)) == .normal)
    }

    @Test(arguments: [
        (899, "max", "1000", "", MemoryPressure.normal), (900, "max", "1000", "", .warning),
        (970, "max", "1000", "", .critical), (900, "1000", "5000", "", .warning),
        (990, "max", "1000", "anon 1\ninactive_file 300\n", .normal), (5000, "max", "max", "", .normal),
    ])
    func usageNearTheGroupLimitIsPressure(
        used: Int, high: String, max: String, statistics: String, expected: MemoryPressure
    ) throws {
        var reader = kernel.makeReader()
        try kernel.write("app/memory.current", "\(used)\n")
        try kernel.write("app/memory.high", high + "\n")
        try kernel.write("app/memory.max", max + "\n")
        try kernel.write("app/memory.stat", statistics)
        #expect(reader.read(after: .seconds(1)) == expected)
    }

    @Test func enclosingGroupsCount() throws {
        var reader = kernel.makeReader()
        try kernel.write("memory.current", "98")
        try kernel.write("memory.max", "100")
        #expect(reader.read(after: .seconds(1)) == .critical)
    }

    @Test(arguments: ["", "\n\n", "some", "some total", "some avg10=x total=", "some total=1e999", "high nan\nmax inf"])
    func malformedFilesMeanNoPressure(text: String) throws {
        var reader = kernel.makeReader()
        for file in ["stalls", "app/memory.pressure", "app/memory.events", "app/memory.current", "app/memory.max"] {
            try kernel.write(file, text)
        }
        for _ in 0..<2 { #expect(reader.read(after: .seconds(1)) == .normal) }
    }

    @Test func monitorReportsEachChange() async throws {
        let changes = Recorder<MemoryPressure>()
        let clock = ManualClock(skipsSleeps: true)
        try kernel.write("app/memory.max", "100")
        try kernel.write("app/memory.current", "10")
        let monitor = MemoryPressureMonitor(kernel.makeReader(), clock: clock, every: .seconds(1)) {
            // This clock skips all sleeps, so repeated reports arrive in between.
            if changes.values.last != $0 { changes.note($0) }
        }
        await clock.waitForSleeps(2)
        #expect(changes.values.isEmpty)
        for (used, count) in [(95, 1), (99, 2), (10, 3)] {
            try kernel.write("app/memory.current", "\(used)")
            await changes.waitForValues(count)
        }
        #expect(changes.values == [.warning, .critical, .normal])
        withExtendedLifetime(monitor) {}
    }

    @Test func monitorRepeatsReportsWhilePressureLasts() async throws {
        let (reported, clock) = (Recorder<MemoryPressure>(), ManualClock())
        try kernel.write("app/memory.max", "100")
        try kernel.write("app/memory.current", "95")
        let monitor = MemoryPressureMonitor(kernel.makeReader(), clock: clock, every: .seconds(1)) { reported.note($0) }
        func read(_ times: Int) async {
            for _ in 0..<times {
                let count = clock.deadlines.count
                clock.advance(by: .seconds(1))
                await clock.waitForSleeps(count + 1)
            }
        }
        await clock.waitForSleeps(1)
        await read(4)
        #expect(reported.values == [.warning])
        await read(1)
        #expect(reported.values == [.warning, .warning])
        await read(3)
        try kernel.write("app/memory.current", "99")
        await read(1)
        #expect(reported.values.dropFirst(2) == [.critical])
        await read(4)
        #expect(reported.values.dropFirst(3).isEmpty, "the interval restarts with each change")
        await read(1)
        #expect(reported.values.dropFirst(3) == [.critical])
        try kernel.write("app/memory.current", "10")
        await read(20)
        #expect(reported.values.dropFirst(4) == [.normal])
        withExtendedLifetime(monitor) {}
    }

    @Test func releasedMonitorStopsReading() async throws {
        let clock = ManualClock()
        let ended = Gate()
        do {
            let probe = Probe(ended)
            let monitor = MemoryPressureMonitor(kernel.makeReader(), clock: clock, every: .seconds(1)) { _ in
                withExtendedLifetime(probe) {}
            }
            await clock.waitForSleeps(1)
            withExtendedLifetime(monitor) {}
        }
        try await ended.waitUnlessCancelled()
    }

    @Test func endOfIterationEndsTheMonitor() async {
        let task = Task { for await _ in MemoryPressureMonitor.changes(every: .seconds(3600)) {} }
        task.cancel()
        await task.value
    }

    @Test func pressuresAreOrdered() {
        #expect(MemoryPressure.allCases == [.normal, .warning, .critical])
        #expect(MemoryPressure.normal < .warning && MemoryPressure.warning < .critical)
    }
}

/// Opens a gate when it is deallocated.
private final class Probe: Sendable {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit { gate.open() }
}

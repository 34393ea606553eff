import CAllocations
import Photograph

/// Work whose allocations are counted, on all threads.
struct Suite: Sendable {
    /// The cost of one run.
    struct Cost {
        let allocationCount: UInt64
        let milliseconds: Double
    }

    private static let warmUpCount = 2
    private static let leastRunCount = 21
    /// The time for which short suites run more often.
    private static let leastTime = Duration.milliseconds(300)

    let name: String

    /// Returns the least of the counts, because the order in which threads run only adds to it, and the median of the times.
    let measure: @Sendable () async throws -> Cost

    /// Creates a suite of `body`, which gets the result of `setup` and the number of the call. A run calls it `scale` times.
    init<Input: Sendable>(
        _ name: String, scale: Int = 1, setup: @escaping @Sendable () async throws -> Input,
        _ body: @escaping @Sendable (Input, Int) async throws -> some Any
    ) {
        self.name = name
        measure = {
            let input = try await setup()
            var (least, times) = (UInt64.max, [Double]())
            let (clock, start) = (ContinuousClock(), ContinuousClock.now)
            for run in 0... {
                guard times.count < Self.leastRunCount || clock.now - start < Self.leastTime else { break }
                var count: UInt64 = 0
                let time = try await cpuMilliseconds {
                    let before = allocation_count()
                    for number in 0..<scale { consume(try await body(input, run * scale + number)) }
                    count = allocation_count() - before
                }
                guard run >= Self.warmUpCount else { continue }
                least = min(least, count)
                times.append(time)
            }
            return Cost(allocationCount: least, milliseconds: times.median)
        }
    }
}

/// Uses `value`, so that the compiler cannot leave out what makes it.
@inline(never)
private func consume(_ value: some Any) {}

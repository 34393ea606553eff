import Benchmark

/// What the benchmark tool runs.
let benchmarks: @Sendable () -> Void = {
    unsafe Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .peakMemoryResident], warmupIterations: 1, maxDuration: .seconds(5), maxIterations: 20)
    registerDecoding()
    registerThumbnail()
    registerMemoryHit()
}

import Benchmark

/// What the benchmark tool runs. `Thresholds` holds how many allocations each made, which `Scripts/check-benchmarks` checks.
let benchmarks: @Sendable () -> Void = {
    unsafe Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .allocations, .peakMemoryResident], warmupIterations: 2, maxDuration: .seconds(2),
        maxIterations: 50)
    registerCoders()
    registerTransformers()
    registerCaches()
    registerManager()
}

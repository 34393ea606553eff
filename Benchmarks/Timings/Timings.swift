import Benchmark

/// The benchmarks that the tool runs. `Thresholds` contains their numbers of allocations, which
/// `Scripts/check-benchmarks` compares.
let benchmarks: @Sendable () -> Void = {
    unsafe Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .allocations, .peakMemoryResident], warmupIterations: 2, maxDuration: .seconds(2),
        maxIterations: 50)
    registerCoders()
    registerTransformers()
    registerCaches()
    registerManager()
}

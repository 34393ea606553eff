import Benchmark
import CAllocations

extension BenchmarkMetric {
    /// The number of allocations on all threads. The tool's own metric requires another package.
    static var allocations: BenchmarkMetric { .custom("Allocations") }
}

/// Registers a benchmark of `body`, which gets the result of `setup` and its iteration number, `scale` times per
/// iteration.
func measure<Input: Sendable>(
    _ name: String, scale: BenchmarkScalingFactor = .one, setup: @escaping @Sendable () async throws -> Input,
    _ body: @escaping @Sendable (Input, Int) async throws -> some Any
) {
    var configuration = unsafe Benchmark.defaultConfiguration
    configuration.scalingFactor = scale
    Benchmark(name, configuration: configuration) { benchmark, input in
        let before = allocation_count()
        for number in benchmark.scaledIterations { blackHole(try await body(input, number)) }
        benchmark.measurement(.allocations, Int(allocation_count() - before))
    } setup: {
        try await setup()
    }
}

import Benchmark
import CAllocations

extension BenchmarkMetric {
    /// How often memory was asked for, on all threads; the tool's own metric of that name needs a package besides.
    static var allocations: BenchmarkMetric { .custom("Allocations") }
}

/// Has the tool measure `body`, which gets what `setup` made and the number of its turn, `scale` times an iteration.
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

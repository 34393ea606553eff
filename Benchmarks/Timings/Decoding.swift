import Benchmark
import DarkroomCore
import Photograph

/// The photograph decoded at its full size, once for each format.
func registerDecoding() {
    for format in Photograph.formats {
        Benchmark("Decode \(format)") { benchmark, file in
            for _ in benchmark.scaledIterations { blackHole(try Photograph.coders.decode(file)) }
        } setup: {
            try Photograph().file(of: format)
        }
    }
}

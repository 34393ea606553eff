import Benchmark
import DarkroomCore
import Photograph

/// The main job on the photograph as a JPEG.
func registerThumbnail() {
    Benchmark("Thumbnail of jpeg") { benchmark, file in
        for _ in benchmark.scaledIterations { blackHole(try Photograph.coders.measuredThumbnail(of: file)) }
    } setup: {
        try Photograph().file(of: .jpeg)
    }
}

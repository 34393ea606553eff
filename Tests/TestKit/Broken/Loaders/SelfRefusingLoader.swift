import DarkroomCore
import FoundationEssentials

/// A loader that refuses what it loads.
struct SelfRefusingLoader: MemLoader {
    func check(_ request: LoadRequest) throws(ImageError) { throw ImageError(.refused, .load, "not allowed") }
}

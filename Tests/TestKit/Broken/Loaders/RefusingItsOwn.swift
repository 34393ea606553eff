import DarkroomCore
import FoundationEssentials

/// Refuses what it brings.
struct RefusingItsOwn: NearlySoundLoader {
    func check(_ request: LoadRequest) throws(ImageError) { throw ImageError(.refused, .load, "not allowed") }
}

import DarkroomCore
import FoundationEssentials

/// Does not tell how it reaches anything, and permits nothing of which that is not known.
struct DistrustingItself: NearlySoundLoader {
    var restrictsAccess: Bool { true }

    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool { route != nil }
}

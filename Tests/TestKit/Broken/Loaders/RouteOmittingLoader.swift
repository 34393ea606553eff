import DarkroomCore
import FoundationEssentials

/// A loader that reports no route, but permits only sources with a known one.
struct RouteOmittingLoader: MemLoader {
    var restrictsAccess: Bool { true }

    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool { route != nil }
}

import DarkroomCore
import FoundationEssentials

/// A loader that does not accept the responses that it returns.
struct SelfRejectingLoader: MemLoader {
    func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        throw ImageError(.status, .load, "not accepted")
    }
}

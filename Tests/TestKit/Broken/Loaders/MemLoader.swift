import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A loader of `mem:` URLs without a defect, except for the one that a conforming type adds.
protocol MemLoader: ImageLoader {}

extension MemLoader {
    static var url: URL { URL(string: "mem:picture")! }
    static var bytes: Data { Data(repeating: 7, count: 3_000) }

    /// Returns the response of a loader without a defect.
    func soundResponse(to request: LoadRequest) throws -> LoadResponse {
        guard request.url == Self.url else { throw ImageError(.invalidURL, .load, "no image has this name") }
        guard Self.bytes.count <= request.context.limits.encodedByteCount else {
            throw ImageError.overLimit(
                "encodedByteCount", value: Self.bytes.count, bound: request.context.limits.encodedByteCount,
                stage: .load)
        }
        return LoadResponse(.data(Self.bytes), expectedByteCount: Self.bytes.count)
    }

    func canLoad(_ url: URL) -> Bool { url.scheme == "mem" }
    func load(_ request: LoadRequest) async throws -> LoadResponse { try soundResponse(to: request) }
}

/// A `MemLoader` without a defect.
struct SoundLoader: MemLoader {}

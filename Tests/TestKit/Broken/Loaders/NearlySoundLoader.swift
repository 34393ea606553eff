import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A loader of `mem:` URLs that does all as a sound one does, save what a broken one does otherwise.
protocol NearlySoundLoader: ImageLoader {}

extension NearlySoundLoader {
    static var url: URL { URL(string: "mem:picture")! }
    static var bytes: Data { Data(repeating: 7, count: 3_000) }

    /// What a sound loader answers.
    func soundAnswer(to request: LoadRequest) throws -> LoadResponse {
        guard request.url == Self.url else { throw ImageError(.invalidURL, .load, "there is nothing of this name") }
        guard Self.bytes.count <= request.context.limits.encodedByteCount else {
            throw ImageError.overLimit(
                "encodedByteCount", value: Self.bytes.count, bound: request.context.limits.encodedByteCount,
                stage: .load)
        }
        return LoadResponse(.data(Self.bytes), expectedByteCount: Self.bytes.count)
    }

    func canLoad(_ url: URL) -> Bool { url.scheme == "mem" }
    func load(_ request: LoadRequest) async throws -> LoadResponse { try soundAnswer(to: request) }
}

/// What a `NearlySoundLoader` is when nothing is wrong with it.
struct SoundLoader: NearlySoundLoader {}

import DarkroomCore
import FoundationEssentials

/// A loader that loses the last chunk of a body.
struct TruncatingLoader: MemLoader {
    func load(_ request: LoadRequest) async throws -> LoadResponse {
        let bytes = Self.bytes
        return LoadResponse(
            .chunks(
                AsyncThrowingStream { stream in
                    stream.yield(Data(bytes.prefix(2_000)))
                    stream.finish()
                }))
    }
}

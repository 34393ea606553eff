import DarkroomCore
import FoundationEssentials

/// The last chunk of a body gets lost.
struct LosingTheEnd: NearlySoundLoader {
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

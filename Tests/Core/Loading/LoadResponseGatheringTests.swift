@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct LoadResponseGatheringTests {
    private static let bytes = Data([1, 2, 3])

    /// The same bytes, at once and in chunks.
    private static var bodies: [LoadResponse.Body] {
        let chunks = AsyncThrowingStream<Data, any Error> { stream in
            for byte in bytes { stream.yield(Data([byte])) }
            stream.finish()
        }
        return [.data(bytes), .chunks(chunks)]
    }

    @Test(arguments: 0..<2, [nil, 3]) func allBytesAreGathered(_ body: Int, _ expected: Int?) async throws {
        let response = LoadResponse(Self.bodies[body], expectedByteCount: expected)
        #expect(try await response.gathered(limits: .default)?.data == Self.bytes)
    }

    @Test(arguments: 0..<2, [0, 2, 4]) func bodyOfAnotherLengthThanDeclaredIsRefused(
        _ body: Int, _ expected: Int
    ) async throws {
        let response = LoadResponse(Self.bodies[body], expectedByteCount: expected)
        let error = await #expect(throws: ImageError.self) { try await response.gathered(limits: .default) }
        #expect(error?.kind == .network)
        #expect(error?.message.contains("3 bytes instead of \(expected)") == true)
    }

    @Test(arguments: 0..<2) func bytesBeyondTheLimitAreRefused(_ body: Int) async throws {
        var limits = DecodeLimits.default
        limits.encodedByteCount = 2
        let response = LoadResponse(Self.bodies[body])
        let error = await #expect(throws: ImageError.self) { try await response.gathered(limits: limits) }
        #expect(error?.kind == .overLimit)
    }

    @Test func bodyWithoutBytesHasNone() async throws {
        #expect(try await LoadResponse(.notModified).gathered(limits: .default) == nil)
    }
}

@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct DecryptorTests {
    private static let reversing = Decryptor { data, _ in Data(data.reversed()) }

    private static func chunks(_ bytes: [UInt8]...) -> LoadResponse.Body {
        .chunks(
            AsyncThrowingStream { stream in
                for chunk in bytes { stream.yield(Data(chunk)) }
                stream.finish()
            })
    }

    private static func load(
        _ response: LoadResponse, _ decryptor: Decryptor = reversing, byteLimit: Int = 100
    ) async throws -> LoadResponse {
        let context = ImageContext { $0.limits.encodedByteCount = byteLimit }
        let loader = FakeLoader { _ in response }.decrypting(decryptor)
        return try await loader.load(LoadRequest(url: Darkbox.url, context: context))
    }

    @Test func decryptorReceivesAllBytes() async throws {
        for body in [.data(Data([1, 2, 3])), Self.chunks([1], [], [2, 3])] {
            let response = try await Self.load(LoadResponse(body, expectedByteCount: 3))
            guard case .data(let data) = response.body else { return #expect(Bool(false)) }
            #expect(data == Data([3, 2, 1]) && response.expectedByteCount == 3)
        }
    }

    @Test func decryptorReceivesTheResponseMetadata() async throws {
        let metadata = ResponseMetadata(url: Darkbox.url, status: 200, headers: ["x-key": "7"])
        let decryptor = Decryptor { _, metadata in metadata.map { Data($0.headers["x-key"]!.utf8) } }
        let response = try await Self.load(LoadResponse(.data(Data([1])), metadata: metadata), decryptor)
        guard case .data(let data) = response.body else { return #expect(Bool(false)) }
        #expect(data == Data("7".utf8) && response.metadata == metadata)
    }

    @Test func decryptionFailureIsRemembered() async {
        for refusing in [Decryptor { _, _ in nil }, Decryptor { _, _ in Data() }] {
            let error = await #expect(throws: ImageError.self) {
                try await Self.load(LoadResponse(.data(Data([1]))), refusing)
            }
            #expect(error?.kind == .corrupt && error?.stage == .load)
            #expect(error.map(FakeLoader(Data()).decrypting(refusing).remembers) == true)
        }
    }

    @Test func responsesWithoutBytesPassUnchanged() async throws {
        let unchanged = try await Self.load(LoadResponse(.notModified))
        guard case .notModified = unchanged.body else { return #expect(Bool(false)) }
        let image = Image(info: ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size), bitmap: Darkbox.bitmap)
        guard case .image = try await Self.load(LoadResponse(.image(image))).body else { return #expect(Bool(false)) }
    }

    @Test func bytesBeyondTheLimitAreNotCollected() async {
        let taken = Recorder<Int>()
        let endless = AsyncThrowingStream<Data, any Error> {
            taken.note(1)
            return Data(count: 40)
        }
        for response in [
            LoadResponse(.chunks(endless)), LoadResponse(.data(Data(count: 101))),
            LoadResponse(Self.chunks([1]), expectedByteCount: 101),
        ] {
            let error = await #expect(throws: ImageError.self) { try await Self.load(response) }
            #expect(error?.kind == .overLimit && error?.message.contains("context.limits.encodedByteCount") == true)
        }
        #expect(taken.values.count == 3)
    }

    @Test func truncatedBodyIsNotDecrypted() async {
        let error = await #expect(throws: ImageError.self) {
            try await Self.load(LoadResponse(Self.chunks([1, 2]), expectedByteCount: 3))
        }
        #expect(error?.kind == .network)
    }

    @Test(arguments: ["AQIDBA==", "AQ ID\r\nBA=\t=", "*AQID-BA==*"])
    func base64IgnoresUnknownCharacters(text: String) async throws {
        let response = try await Self.load(LoadResponse(.data(Data(text.utf8))), .base64)
        guard case .data(let data) = response.body else { return #expect(Bool(false)) }
        #expect(data == Data([1, 2, 3, 4]))
    }

    @Test(arguments: ["", "A", "#!"])
    func invalidBase64IsRefused(text: String) async {
        await #expect(throws: ImageError.self) {
            try await Self.load(LoadResponse(.data(Data(text.utf8))), .base64)
        }
    }

    @Test func decryptedImageIsStoredDecryptedAndHasNoPreviews() async throws {
        let box = Darkbox(
            FakeLoader { _ in
                LoadResponse(Self.chunks(Array(Darkbox.file.reversed())), expectedByteCount: Darkbox.file.count)
            })
        let context = ImageContext {
            $0.decryptor = Self.reversing
            $0.deliversPreviews = true
        }
        var previews = 0
        for try await event in box.manager.events(for: Darkbox.url, context: context) {
            switch event {
            case .preview: previews += 1
            case .finished(let result): #expect(result.image.bitmap == Darkbox.bitmap)
            default: break
            }
        }
        await box.manager.waitForStores()
        #expect(previews == 0)
        #expect(try await box.restarted().load(Darkbox.url).origin == .disk)
    }
}

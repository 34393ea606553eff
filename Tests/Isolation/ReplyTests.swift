import CIsolation
import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import Testing

@testable import DarkroomIsolation

/// Replies of a hostile worker.
@Suite struct ReplyTests {
    private static let formats = localCoders.coders.flatMap(\.formats)

    private static var headers: [[UInt8]] {
        var info = ImageInfo(format: .png, storedSize: PixelSize(3, 4))
        info.iccProfile = Data([1, 2, 3])
        info.calibration = Calibration(exponent: 2.2)
        info.exif = Exif(Data("II*\0".utf8))
        info.comments = ["a", "comment"]
        info.frameCount = 2
        info.frameDurations = [.milliseconds(20), .seconds(1)]
        return [info, ImageInfo(format: .jpeg, storedSize: PixelSize(1, 1))].map { info in
            var writer = MessageWriter()
            writer.put(info)
            return writer.bytes
        }
    }

    @Test func mutatedHeaderIsReadOrRefused() throws {
        var mutator = FileMutator(Self.headers, seed: 4)
        var readCount = 0
        for _ in 0..<20_000 {
            var reader = MessageReader(mutator.next())
            if let info = try? reader.info(formats: Self.formats) {
                readCount += 1
                #expect(info.frameCount >= 1)
                // Adding would trap.
                #expect(info.frameDurations.allSatisfy { (.zero ... .seconds(Int64(1) << 40)).contains($0) })
            }
        }
        #expect(readCount > 100 && readCount < 19_000)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)])
    func durationThatNoFrameHasIsRefused(_ duration: Duration) {
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        (info.frameCount, info.frameDurations) = (2, [.zero, duration])
        var writer = MessageWriter()
        writer.put(info)
        #expect(throws: MalformedMessage.self) {
            var reader = MessageReader(writer.bytes)
            _ = try reader.info(formats: Self.formats)
        }
    }

    @Test func mutatedErrorAndGreetingAreReadOrRefused() throws {
        var writer = MessageWriter()
        writer.put(ImageError(.corrupt, .decode, "the chunk IDAT is too short"))
        var greeting = Greeting()
        greeting.coders = [CoderName(type: "Coder", ordinal: 1)]
        var other = MessageWriter()
        other.put(greeting)
        var mutator = FileMutator([writer.bytes, other.bytes], seed: 5)
        for _ in 0..<10_000 {
            var reader = MessageReader(mutator.next())
            var same = reader
            if let error = try? reader.error() { #expect(!error.message.contains("\n")) }
            _ = try? Greeting(&same)
        }
    }

    @Test(arguments: [
        ("it is broken", "it is broken"), ("a\nb", "a b"), ("ä\r\nb", "ä  b"), ("a\u{7F}\u{85}b", "a  b"),
        ("a\0", "a "),
        ("", ""), ("é€😀", "é€😀"),
    ])
    func sentenceIsOneLine(_ text: String, _ expected: String) throws {
        var writer = MessageWriter()
        writer.put(text)
        var reader = MessageReader(writer.bytes)
        #expect(try Array(reader.sentence().utf8) == Array(expected.utf8))
    }

    @Test(arguments: ["a", "é"]) func longSentenceIsCut(_ character: String) throws {
        for count in [1_999, 2_000, 2_001, 9_999] {
            var writer = MessageWriter()
            writer.put(String(repeating: character, count: count))
            var reader = MessageReader(writer.bytes)
            #expect(try reader.sentence().unicodeScalars.count == min(count, 2_000))
        }
    }

    @Test func decodeHasOnlySoManyNotes() {
        let request = DecodeRequest(data: Data(), info: ImageInfo(format: .png, storedSize: PixelSize(1, 1)))
        for index in 0..<200 {
            request.note("note \(index)")
            request.noteIncomplete("note \(index)")
        }
        #expect(request.notes.count == DecodeRequest.noteLimit && request.notes.last == "note 63")
        #expect(request.truncationNotes == request.notes)
    }

    @Test(arguments: [true, false]) func moreNotesThanADecodeHasAreRefused(areOfTruncation: Bool) throws {
        for count in [DecodeRequest.noteLimit, DecodeRequest.noteLimit + 1] {
            let notes = (0..<count).map { "note \($0)" }
            var writer = MessageWriter()
            let lists: [[String]] = areOfTruncation ? [[], notes] : [notes, []]
            for list in lists { writer.put(list) { $0.put($1) } }
            writer.put(false)
            var reader = MessageReader(writer.bytes)
            let remarks = try? reader.remarks()
            let expected = count > DecodeRequest.noteLimit ? nil : notes
            #expect(remarks.map { $0.notes + $0.truncationNotes } == expected)
        }
    }

    @Test func packetsThatNobodyReceivesAreNotWaitedFor() {
        var sockets: [Int32] = [-1, -1]
        var error = unsafe darkroom_make_channel(&sockets, 10)
        defer { for socket in sockets { close(socket) } }
        #expect(error == 0 && !darkroom_has_packet(sockets[1]))
        let packet = [UInt8](repeating: 0, count: 25)
        for _ in 0..<10_000 where error == 0 {
            error = unsafe darkroom_send(sockets[0], packet, packet.count, -1, -1)
        }
        #expect(error == EAGAIN)
        #expect(darkroom_has_packet(sockets[1]) && !darkroom_has_packet(sockets[0]))
    }

    @Test func replyToAnotherCallIsRefused() throws {
        var writer = MessageWriter()
        writer.put(UInt64(7))
        writer.put(Status.done.rawValue)
        writer.put(5)
        writer.put(6)
        #expect(try Reply(writer.bytes, sequence: 7).byteCount == 6)
        #expect(throws: MalformedMessage.self) { try Reply(writer.bytes, sequence: 8) }
        #expect(throws: MalformedMessage.self) { try Reply(writer.bytes + [0], sequence: 7) }
    }
}

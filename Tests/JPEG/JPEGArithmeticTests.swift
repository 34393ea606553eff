import DarkroomCore
import DarkroomJPEG
import FoundationEssentials
import Testing

struct JPEGArithmeticTests {
    /// A greyscale image of 24×16 pixels, encoded by `cjpeg -arithmetic`.
    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    private static var file: Data {
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO
                UlNSMj5aYVpQYEpRUk//yQALCAAQABgBAREA/8wABgAQEAX/2gAIAQEAAD8A/wCf15u1iNhjUL73egFpY7NGkvcxy/0PCnaCHyMp
                uTnyaatOjc6E8UFM7fQ5IiSD4pCrJdmaR+5Q/9k=
                """, options: .ignoreUnknownCharacters)!
    }

    private let coder = JPEGCoder()

    private func request(_ data: Data) throws -> DecodeRequest {
        DecodeRequest(data: data, info: try coder.info(of: data))
    }

    @Test func arithmeticCodingIsDecoded() throws {
        let bitmap = try coder.decode(request(Self.file))
        for x in 0..<24 {
            let color = try #require(bitmap.color(x: x, y: 5))
            #expect(abs(Int(color.red) - (x * 10 + 15) % 256) < 12 && color.red == color.blue)
        }
    }

    /// libjpeg cannot suspend in arithmetic coding.
    @Test(arguments: [1, 50, 1000])
    func arithmeticCodingHasNoPreviews(_ step: Int) throws {
        var decoder = try coder.makePreviewDecoder(request(Self.file))
        for start in stride(from: 0, to: Self.file.count, by: step) {
            #expect(try decoder.append(Self.file.dropFirst(start).prefix(step)) == nil)
        }
        #expect(try decoder.finish() == coder.decode(request(Self.file)))
    }
}

import DarkroomCore
@testable import DarkroomJPEG
import FoundationEssentials
import Testing

/// Files with 12 bits per channel, which libjpeg-turbo decodes from version 3.0 on.
struct JPEGDeepTests {
    /// A greyscale gradient of 16×8 pixels, encoded by `cjpeg -precision 12` of libjpeg-turbo 3.2.
    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    private static var file: Data {
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV
                DA8XGBYUGBIUFRT/wQALDAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAADA3/xAAYEAACAwAAAAAAAAAAAAAAAAAADEiFwv/aAAgB
                AQAAPwAk8skRRrMFbAWSIo1mD//Z
                """, options: .ignoreUnknownCharacters)!
    }

    private let coder = JPEGCoder()

    @Test(arguments: [nil, PixelSize(8, 4), PixelSize(4, 2), PixelSize(1, 1)])
    func twelveBitsBecomeEightOrTheErrorNamesTheLibrary(_ target: PixelSize?) throws {
        guard JPEGCoder.decodes12Bits else {
            let error = #expect(throws: ImageError.self) { try coder.info(of: Self.file) }
            #expect(error?.kind == .unsupported && error?.message.contains("libjpeg-turbo 3.0") == true)
            return
        }
        let info = try coder.info(of: Self.file)
        #expect(info.bitsPerChannel == 12 && info.storedSize == PixelSize(16, 8))
        let request = DecodeRequest(data: Self.file, info: info, target: target)
        let bitmap = try coder.decode(request)
        for x in 0..<bitmap.size.width {
            let color = try #require(bitmap.color(x: x, y: 0))
            let level = (Double(x) + 0.5) * 16 / Double(bitmap.size.width) - 0.5
            #expect(abs(Double(color.red) - level * 17) < 12 && color.red == color.blue)
        }
        var decoder = try coder.makePreviewDecoder(request)
        for byte in Self.file { _ = try decoder.append(Data([byte])) }
        #expect(try decoder.finish() == bitmap)
    }
}

import DarkroomCore
import DarkroomPlatform

extension ImageFormat {
    static let guess = ImageFormat(
        identifier: "test.guess", mimeType: "image/x-guess", fileExtension: "guess", signatures: [])
    static let option = ImageFormat(
        identifier: "test.option", mimeType: "image/x-option", fileExtension: "option", signatures: ["option"])
}

/// A coder without a signature, whose files begin with spaces.
struct GuessingCoder: ImageCoder {
    let formats = [ImageFormat.guess]

    func canDecode(_ data: Data) -> Bool { data.first == 0x20 }

    func info(of request: InfoRequest) throws -> ImageInfo { ImageInfo(format: .guess, storedSize: PixelSize(2, 2)) }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        try Bitmap(PixelSize(2, 2), hasAlpha: false) { pixels in for index in pixels.indices { pixels[index] = 255 } }
    }
}

enum ShadeKey: CoderContextKey {
    static var defaultValue: UInt8? { nil }
    static func effect(of value: UInt8?) -> ContextEffect { .result(value.map { "Shade(\($0))" }) }
}

enum WeightsKey: CoderContextKey {
    static var defaultValue: [String: Double] { [:] }
    static func effect(of value: [String: Double]) -> ContextEffect {
        .result(value.isEmpty ? nil : "Weights(\(value))")
    }
}

/// A coder with options of its own, of which pixels consist.
struct OptionCoder: EncodingImageCoder {
    let formats = [ImageFormat.option]
    let contextKeys: [any CoderContextKey.Type] = [ShadeKey.self, WeightsKey.self]

    func info(of request: InfoRequest) throws -> ImageInfo { ImageInfo(format: .option, storedSize: PixelSize(2, 2)) }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let (shade, weight) = (request.context[ShadeKey.self] ?? 1, request.context[WeightsKey.self]["green"] ?? 0)
        return try Bitmap(PixelSize(2, 2), hasAlpha: false) { pixels in
            for index in pixels.indices {
                pixels[index] = index % 4 == 3 ? 255 : index % 4 == 1 ? UInt8(weight * 255) : shade
            }
        }
    }

    func encode(_ request: EncodeRequest) throws -> Data {
        Data("option\(request.context[ShadeKey.self] ?? 1)\(request.context[WeightsKey.self])".utf8)
    }
}

import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that forwards to `PlainCoder`, except for the defect that a conforming type adds.
protocol PlainCoderWrapper: EncodingImageCoder {}

extension PlainCoderWrapper {
    var plain: PlainCoder { PlainCoder() }
    var formats: [ImageFormat] { plain.formats }

    func info(of request: InfoRequest) throws -> ImageInfo { try plain.info(of: request) }
    func decode(_ request: DecodeRequest) throws -> Bitmap { try plain.decode(request) }
    func encode(_ request: EncodeRequest) throws -> Data { try plain.encode(request) }
}

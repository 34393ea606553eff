import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that does all as `PlainCoder` does, save what a broken one does otherwise.
protocol NearlySoundCoder: EncodingImageCoder {}

extension NearlySoundCoder {
    var plain: PlainCoder { PlainCoder() }
    var formats: [ImageFormat] { plain.formats }

    func info(of request: InfoRequest) throws -> ImageInfo { try plain.info(of: request) }
    func decode(_ request: DecodeRequest) throws -> Bitmap { try plain.decode(request) }
    func encode(_ request: EncodeRequest) throws -> Data { try plain.encode(request) }
}

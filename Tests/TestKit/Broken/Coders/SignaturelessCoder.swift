import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder of a format without a signature, which recognizes its files by their headers.
protocol SignaturelessCoder: PlainCoderWrapper {}

extension SignaturelessCoder {
    var formats: [ImageFormat] {
        [ImageFormat(identifier: "darkroom.bare", mimeType: "image/x-bare", fileExtension: "bare", signatures: [])]
    }

    func canDecode(_ data: Data) -> Bool { ImageFormat.plain.matches(data) }

    func info(of request: InfoRequest) throws -> ImageInfo {
        let info = try plain.info(of: request)
        var own = ImageInfo(format: formats[0], storedSize: info.storedSize)
        own.hasAlpha = info.hasAlpha
        return own
    }
}

/// A `SignaturelessCoder` without a defect.
struct SoundSignaturelessCoder: SignaturelessCoder {}

/// A coder that fails with an error of its own if the pixels after a valid header are all white.
struct WhiteIntolerantCoder: SignaturelessCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let bitmap = try plain.decode(request)
        guard bitmap.bytes.contains(where: { $0 != 255 }) else { throw CocoaError(.fileReadUnknown) }
        return bitmap
    }
}

/// A coder that takes every binary file for one of its format.
struct GreedyCoder: SignaturelessCoder {
    func canDecode(_ data: Data) -> Bool { data.contains(0) }
}

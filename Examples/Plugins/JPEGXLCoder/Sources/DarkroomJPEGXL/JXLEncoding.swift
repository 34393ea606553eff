import CJXL
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file encoded by libjxl. Owned by one task.
@safe final class JXLEncoding {
    private let request: EncodeRequest
    private let encoder: OpaquePointer
    private let settings: OpaquePointer
    private let isLossless: Bool
    /// Ticks per second, the unit of durations.
    private static let ticks = 1000.0

    init(_ request: EncodeRequest) throws {
        self.request = request
        guard 1...9 ~= request.context.jpegXLEffort else {
            throw ImageError(
                .unsupported, .encode, "a jpegXLEffort of \(request.context.jpegXLEffort) is not between 1 and 9")
        }
        isLossless = request.context.encoderQuality == nil && request.quality == 1
        guard let encoder = unsafe JxlEncoderCreate(nil),
            let settings = unsafe JxlEncoderFrameSettingsCreate(encoder, nil)
        else { throw ImageError(.overLimit, .encode, "there is not enough memory to encode the JPEG XL") }
        unsafe (self.encoder, self.settings) = (encoder, settings)
        let distance = Float(try request.encoderQuality(by: .libjxl))
        try check(
            unsafe JxlEncoderFrameSettingsSetOption(
                settings, JXL_ENC_FRAME_SETTING_EFFORT, Int64(request.context.jpegXLEffort)))
        try check(unsafe JxlEncoderSetFrameLossless(settings, isLossless ? JXL_TRUE : JXL_FALSE))
        try check(unsafe JxlEncoderSetFrameDistance(settings, isLossless ? 0 : distance))
    }

    deinit { unsafe JxlEncoderDestroy(encoder) }

    /// Returns the encoded bytes, which are identical for equal requests.
    func file() throws -> Data {
        try writeHeader()
        try writeMetadata()
        try request.forEachFrame(add)
        unsafe JxlEncoderCloseInput(encoder)
        return try output()
    }

    private var isAnimated: Bool { request.image.animation != nil && !request.context.usesFirstFrameOnly }

    private func writeHeader() throws {
        let bitmap = request.image.bitmap
        var info = JxlBasicInfo()
        unsafe JxlEncoderInitBasicInfo(&info)
        (info.xsize, info.ysize) = (UInt32(clamping: bitmap.size.width), UInt32(clamping: bitmap.size.height))
        (info.num_color_channels, info.bits_per_sample) = (3, 8)
        (info.num_extra_channels, info.alpha_bits) = bitmap.hasAlpha ? (1, 8) : (0, 0)
        // Pixels with their own colour profile are encoded in it.
        info.uses_original_profile = isLossless || request.iccProfile != nil ? JXL_TRUE : JXL_FALSE
        if isAnimated, let animation = request.image.animation {
            info.have_animation = JXL_TRUE
            info.animation = JxlAnimationHeader(
                tps_numerator: UInt32(Self.ticks), tps_denominator: 1, num_loops: UInt32(clamping: animation.loopCount),
                have_timecodes: JXL_FALSE)
        }
        try check(unsafe JxlEncoderSetBasicInfo(encoder, &info))
        if let profile = request.iccProfile {
            try check(
                unsafe profile.withUnsafeBytes {
                    unsafe JxlEncoderSetICCProfile(
                        encoder, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
                })
        } else {
            var encoding = JxlColorEncoding()
            unsafe JxlColorEncodingSetToSRGB(&encoding, JXL_FALSE)
            try check(unsafe JxlEncoderSetColorEncoding(encoder, &encoding))
        }
    }

    private func writeMetadata() throws {
        // The first four bytes contain the offset of the TIFF structure.
        let boxes = [
            ("Exif", request.exif.map { [0, 0, 0, 0] + [UInt8]($0.data) }),
            ("xml ", request.xmp.map { [UInt8]($0.data) }),
        ]
        guard boxes.contains(where: { $0.1 != nil }) else { return }
        try check(unsafe JxlEncoderUseBoxes(encoder))
        for case (let name, let contents?) in boxes {
            var type = Array(name.utf8CString)
            try check(unsafe JxlEncoderAddBox(encoder, &type, contents, contents.count, JXL_FALSE))
        }
    }

    private func add(_ frame: Frame) throws {
        if isAnimated {
            var header = JxlFrameHeader()
            unsafe JxlEncoderInitFrameHeader(&header)
            let ticks = (frame.duration / .seconds(1) * Self.ticks).rounded()
            header.duration = ticks >= 0 ? UInt32(exactly: min(ticks, Double(UInt32.max))) ?? 0 : 0
            try check(unsafe JxlEncoderSetFrameHeader(settings, &header))
        }
        let channelCount = frame.bitmap.hasAlpha ? 4 : 3
        var format = JxlPixelFormat(
            num_channels: UInt32(channelCount), data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        let samples = frame.bitmap.withPixels { $0.samples(channelCount) }
        try check(unsafe JxlEncoderAddImageFrame(settings, &format, samples, samples.count))
    }

    private func output() throws -> Data {
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try request.checkCancellation()
            let (status, count) = unsafe piece.withUnsafeMutableBufferPointer { buffer in
                var (next, left) = (buffer.baseAddress, buffer.count)
                let status = unsafe JxlEncoderProcessOutput(encoder, &next, &left)
                return (status, buffer.count - left)
            }
            data += piece.prefix(count)
            if status == JXL_ENC_SUCCESS { return data }
            guard status == JXL_ENC_NEED_MORE_OUTPUT else { try check(status); return data }
        }
    }

    private func check(_ status: JxlEncoderStatus) throws(ImageError) {
        guard status != JXL_ENC_SUCCESS else { return }
        throw ImageError(.unsupported, .encode, "libjxl cannot encode the image with these options")
    }
}

extension Span<UInt8> {
    /// Returns the first `count` of every four bytes.
    fileprivate func samples(_ count: Int) -> [UInt8] { indices.filter { $0 % 4 < count }.map { self[$0] } }
}

import CJXL
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The properties of a file that are known before its pixels are decoded.
struct JXLHeader {
    /// The header in Darkroom's form.
    private(set) var info: ImageInfo

    /// Reads the header of `request.data`. A frame can take only a few bytes, so the limit on frames is enforced while
    /// counting.
    init(_ request: InfoRequest) throws {
        let decoding = try JXLDecoding(
            request.data, events: [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME])
        guard try decoding.nextEvent() == JXL_DEC_BASIC_INFO else {
            throw ImageError(.corrupt, .decode, "the JPEG XL has no header")
        }
        let header = decoding.basicInfo
        info = ImageInfo(format: .jpegXL, storedSize: PixelSize(Int(header.xsize), Int(header.ysize)))
        info.orientation = Orientation(tag: Int(header.orientation.rawValue))
        info.hasAlpha = header.alpha_bits > 0
        info.bitsPerChannel = min(Int(header.bits_per_sample), 16)
        info.colorModel = header.num_color_channels == 1 ? .gray : .rgb
        guard try decoding.nextEvent() == JXL_DEC_COLOR_ENCODING else {
            throw ImageError(.corrupt, .decode, "the JPEG XL has no colour space")
        }
        // Otherwise libjxl converts to sRGB itself.
        if header.uses_original_profile != 0 { info.iccProfile = decoding.profile }
        let metadata = try JXLMetadata(request)
        (info.exif, info.xmp) = (metadata.exif, metadata.xmp)
        if header.have_animation != 0 { try readFrames(from: decoding, animation: header.animation, request: request) }
    }

    private mutating func readFrames(
        from decoding: JXLDecoding, animation: JxlAnimationHeader, request: InfoRequest
    ) throws {
        var durations: [Duration] = []
        while try decoding.nextEvent(request.checkCancellation) != nil {
            var frame = JxlFrameHeader()
            guard unsafe JxlDecoderGetFrameHeader(decoding.decoder, &frame) == JXL_DEC_SUCCESS else { continue }
            let seconds = Double(frame.duration) * Double(animation.tps_denominator) / Double(animation.tps_numerator)
            durations.append(seconds.isFinite ? Duration(saturatingSeconds: seconds) : .milliseconds(100))
            try request.limits.check(frameCount: durations.count)
        }
        guard durations.count > 1 else { return }
        info.frameCount = durations.count
        info.frameDurations = durations
        info.loopCount = Int(animation.num_loops)
    }
}

extension JXLDecoding {
    /// The profile of the pixels; `nil` for sRGB.
    fileprivate var profile: Data? {
        var encoding = JxlColorEncoding()
        let isEncoded = unsafe JxlDecoderGetColorAsEncodedProfile(
            decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &encoding)
        if isEncoded == JXL_DEC_SUCCESS, encoding.isSRGB { return nil }
        var byteCount = 0
        guard
            unsafe JxlDecoderGetICCProfileSize(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &byteCount)
                == JXL_DEC_SUCCESS, byteCount > 0
        else { return nil }
        var profile = [UInt8](repeating: 0, count: byteCount)
        let status = unsafe JxlDecoderGetColorAsICCProfile(
            decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &profile, byteCount)
        return status == JXL_DEC_SUCCESS ? Data(profile) : nil
    }
}

extension JxlColorEncoding {
    fileprivate var isSRGB: Bool {
        white_point == JXL_WHITE_POINT_D65 && transfer_function == JXL_TRANSFER_FUNCTION_SRGB
            && (color_space == JXL_COLOR_SPACE_GRAY || primaries == JXL_PRIMARIES_SRGB)
    }
}

import DarkroomCore
import SystemLCMS

/// A Little CMS transform of pixels of four channels to RGB with 8 bits.
// No lock is needed: without its one-pixel cache, Little CMS only reads a finished transform.
@safe final class ColorTransform: @unchecked Sendable {
    private let context: ColorContext
    private let handle: cmsHTRANSFORM

    /// Creates a transform from `profile`, which must have a pixel format, to `space`, for pixels of 8 bits per channel, or
    /// of 16 if it is deep. An exact transform takes longer for each pixel.
    init(
        from profile: ColorProfile, to space: OutputColorSpace = .sRGB, isExact: Bool, isDeep: Bool = false
    ) throws(ImageError) {
        context = profile.context
        let target =
            try space == .sRGB ? ColorProfile(sRGBFor: context) : ColorProfile(space.calibration, for: context)
        let flags = cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE | (isExact ? cmsFLAGS_NOOPTIMIZE : 0)
        guard let format = profile.pixelFormat(byteCount: isDeep ? 2 : 1),
            let targetFormat = target.pixelFormat(byteCount: 1),
            let handle = unsafe cmsCreateTransformTHR(
                context.handle, profile.handle, format, target.handle, targetFormat,
                cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), cmsUInt32Number(flags))
        else { throw .cannotConvert }
        unsafe self.handle = handle
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// Converts complete pixels in place. The fourth byte of each is unchanged.
    func apply(to pixels: inout MutableSpan<UInt8>) {
        let count = cmsUInt32Number(pixels.count / 4)
        unsafe pixels.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe cmsDoTransform(handle, start, start, count)
        }
    }

    /// Converts complete pixels of 16 bits per channel, for a deep transform. The fourth byte of each is unchanged.
    func apply(to deep: Span<UInt16>, into pixels: inout MutableSpan<UInt8>) {
        precondition(deep.count <= pixels.count, "the pixels do not fit")
        unsafe deep.withUnsafeBufferPointer { deep in
            unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                guard let source = deep.baseAddress, let target = pixels.baseAddress else { return }
                unsafe cmsDoTransform(handle, source, target, cmsUInt32Number(deep.count / 4))
            }
        }
    }
}

extension ColorProfile {
    /// The curves of red, green and blue, at 65,536 levels, scaled so that they go from 0 to 1; `nil` if there are none.
    var curves: [[Float]]? {
        var curves: [[Float]] = []
        for tag in [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag] {
            guard let curve = unsafe cmsReadTag(handle, tag) else { return nil }
            // The tags have this type, and belong to the profile.
            let levels = (0...UInt16.max).map { level in
                unsafe cmsEvalToneCurveFloat(OpaquePointer(curve), Float(level) / 65_535)
            }
            let (first, range) = (levels[0], levels[65_535] - levels[0])
            guard range.isNormal else { return nil }
            curves.append(levels.map { ($0 - first) / range })
        }
        return curves
    }

    /// Returns the linear components in `space` of each of `colors`, which have three RGB values each; 1 is white, and
    /// values may be negative.
    func light(of colors: [Double], in space: OutputColorSpace) throws(ImageError) -> [Double] {
        var linear = space.calibration
        (linear.curve, linear.exponent) = (.power, 1)
        let target = try ColorProfile(linear, for: context)
        // TYPE_RGB_DBL: a size of 0 stands for 8 bytes.
        let format = cmsUInt32Number(1 << 22 | PT_RGB << 16 | 3 << 3)
        let flags = cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE
        guard
            let transform = unsafe cmsCreateTransformTHR(
                context.handle, handle, format, target.handle, format,
                cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), cmsUInt32Number(flags))
        else { throw .cannotConvert }
        defer { unsafe cmsDeleteTransform(transform) }
        var light = [Double](repeating: 0, count: colors.count)
        unsafe cmsDoTransform(transform, colors, &light, cmsUInt32Number(colors.count / 3))
        return light
    }
}

extension ImageError {
    fileprivate static let cannotConvert = ImageError(.corrupt, .decode, "Little CMS cannot convert from it")
}

/// A private Little CMS context for profiles and transforms, so that nothing is shared with other users of Little CMS.
@safe final class ColorContext {
    let handle: cmsContext

    init() throws(ImageError) {
        guard let handle = unsafe cmsCreateContext(nil, nil) else {
            throw ImageError(.internal, .decode, "Little CMS has no memory for a context")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe cmsDeleteContext(handle) }

    /// Returns the sRGB levels at `count` + 1 amounts of linear light, from black to white (IEC 61966-2-1).
    func sRGBLevels(count: Int) throws(ImageError) -> [UInt8] {
        guard
            let curve = unsafe cmsBuildParametricToneCurve(
                handle, -4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        else { throw ImageError(.internal, .decode, "Little CMS has no memory for a curve") }
        defer { unsafe cmsFreeToneCurve(curve) }
        return (0...count).map { place in
            let level = unsafe cmsEvalToneCurveFloat(curve, Float(place) / Float(count))
            return UInt8((min(max(level, 0), 1) * 255).rounded())
        }
    }
}

extension LittleCMSConverter {
    /// The library that the converter uses, with the version that is loaded.
    public static var libraryVersions: [String: String] {
        let version = cmsGetEncodedCMMversion()
        return ["lcms2": "\(version / 1000).\(version % 1000 / 10)" + (version % 10 == 0 ? "" : ".\(version % 10)")]
    }
}

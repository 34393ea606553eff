import DarkroomCore
import SystemLCMS

/// A Little CMS profile of a colour space, for use by one task at a time.
@safe final class ColorProfile {
    let context: ColorContext
    let handle: cmsHPROFILE

    private init(handle: cmsHPROFILE?, in context: ColorContext, else problem: String) throws(ImageError) {
        guard let handle = unsafe handle else { throw ImageError(.corrupt, .decode, problem) }
        self.context = context
        unsafe self.handle = handle
    }

    /// Parses a profile of a device or a colour space from `bytes`.
    convenience init(_ bytes: [UInt8]) throws(ImageError) {
        let context = try ColorContext()
        // Little CMS copies the bytes.
        let handle = unsafe cmsOpenProfileFromMemTHR(context.handle, bytes, cmsUInt32Number(clamping: bytes.count))
        try unsafe self.init(handle: handle, in: context, else: "Little CMS cannot read it")
        removeProcessingElements()
    }

    /// Creates a profile of the colour space of `calibration`.
    convenience init(_ calibration: Calibration) throws(ImageError) {
        try self.init(calibration, for: ColorContext())
    }

    /// Creates a profile of the colour space of `calibration`, for transforms in `context`.
    convenience init(_ calibration: Calibration, for context: ColorContext) throws(ImageError) {
        let problem = "its gamma or chromaticities do not define a colour space"
        guard calibration.isPlausible else { throw ImageError(.corrupt, .decode, problem) }
        guard let curve = unsafe calibration.makeCurve(in: context) else {
            throw ImageError(.internal, .decode, "Little CMS has no memory for a curve")
        }
        defer { unsafe cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(calibration.white)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(calibration.red), Green: cmsCIExyY(calibration.green), Blue: cmsCIExyY(calibration.blue))
        let handle = unsafe cmsCreateRGBProfileTHR(context.handle, &white, &primaries, [curve, curve, curve])
        try unsafe self.init(handle: handle, in: context, else: problem)
    }

    /// Creates an sRGB profile, for transforms in `context`.
    convenience init(sRGBFor context: ColorContext) throws(ImageError) {
        try unsafe self.init(
            handle: cmsCreate_sRGBProfileTHR(context.handle), in: context, else: "there is no memory for it")
    }

    deinit { unsafe cmsCloseProfile(handle) }

    /// Returns the Little CMS format of pixels of four values of `byteCount` bytes in this space, or `nil` if it does not
    /// support them.
    func pixelFormat(byteCount: CInt) -> cmsUInt32Number? {
        let classes = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        guard classes.contains(unsafe cmsGetDeviceClass(handle)) else { return nil }
        return switch unsafe cmsGetColorSpace(handle) {
        case cmsSigGrayData: pixelFormat(PT_GRAY, channelCount: 1, byteCount: byteCount)
        case cmsSigRgbData: pixelFormat(PT_RGB, channelCount: 3, byteCount: byteCount)
        case cmsSigCmykData: pixelFormat(PT_CMYK, channelCount: 4, byteCount: byteCount)
        default: nil
        }
    }

    /// Returns whether the profile can apply to pixels stored in `model`.
    func supports(_ model: ImageInfo.ColorModel) -> Bool {
        let spaces: [cmsColorSpaceSignature] =
            switch model {
            case .gray: [cmsSigGrayData, cmsSigRgbData]
            case .rgb, .indexed: [cmsSigRgbData]
            case .cmyk: [cmsSigCmykData]
            }
        return pixelFormat(byteCount: 1) != nil && spaces.contains(unsafe cmsGetColorSpace(handle))
    }

    /// Returns the format that the macros of `lcms2.h`, which Swift does not import, define: the rest of the four values is
    /// ignored.
    private func pixelFormat(_ space: CInt, channelCount: CInt, byteCount: CInt) -> cmsUInt32Number {
        cmsUInt32Number(space << 16 | (4 - channelCount) << 7 | channelCount << 3 | byteCount)
    }

    /// Makes Little CMS use the tables that profiles contain in addition to processing elements.
    ///
    /// A small profile can reference one large element many thousand times, and each reference would be read and
    /// computed separately.
    private func removeProcessingElements() {
        let tags = [
            cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag,
            cmsSigBToD0Tag, cmsSigBToD1Tag, cmsSigBToD2Tag, cmsSigBToD3Tag,
        ]
        for tag in tags {
            while unsafe cmsIsTag(handle, tag) != 0, unsafe cmsWriteTag(handle, tag, nil) != 0 {}
        }
    }
}

extension Calibration {
    /// Creates the curve, which the caller frees; `nil` if there is no memory.
    fileprivate func makeCurve(in context: ColorContext) -> OpaquePointer? {
        // Type 4 is (a x + b)^γ from d on, and c x below; the parameters are γ, a, b, c, d.
        switch curve {
        case .power: unsafe cmsBuildGamma(context.handle, exponent)
        case .sRGB:
            unsafe cmsBuildParametricToneCurve(
                context.handle, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .camera:
            unsafe cmsBuildParametricToneCurve(
                context.handle, 4, [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])
        }
    }

    /// Whether Little CMS can compute with the calibration.
    fileprivate var isPlausible: Bool {
        let points = [white, red, green, blue].flatMap { [$0.x, $0.y] }
        return (0.1...10).contains(exponent) && points.allSatisfy { (-1...2).contains($0) } && white.y > 0
    }
}

extension cmsCIExyY {
    fileprivate init(_ point: Calibration.Chromaticity) { self.init(x: point.x, y: point.y, Y: 1) }
}

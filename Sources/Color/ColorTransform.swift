import DarkroomCore
import SystemLCMS

/// Little CMS's conversion of pixels of 4 bytes to sRGB.
// Nothing needs a lock: without its cache of one pixel, Little CMS only reads a finished transform.
@safe final class ColorTransform: @unchecked Sendable {
    private let context: ColorContext
    private let handle: cmsHTRANSFORM

    /// A conversion from `profile`, which must have a pixel format; exact ones take longer for a pixel.
    init(from profile: ColorProfile, isExact: Bool) throws(ImageError) {
        context = profile.context
        let target = try ColorProfile(sRGBFor: context)
        let flags = cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE | (isExact ? cmsFLAGS_NOOPTIMIZE : 0)
        guard let format = profile.pixelFormat, let targetFormat = target.pixelFormat,
            let handle = unsafe cmsCreateTransformTHR(
                context.handle, profile.handle, format, target.handle, targetFormat,
                cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), cmsUInt32Number(flags))
        else { throw ImageError(.corrupt, .decode, "Little CMS cannot convert from it") }
        unsafe self.handle = handle
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// Converts whole pixels in place. The fourth byte of each stays as it is.
    func apply(to pixels: inout MutableSpan<UInt8>) {
        let count = cmsUInt32Number(pixels.count / 4)
        unsafe pixels.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe cmsDoTransform(handle, start, start, count)
        }
    }
}

/// What profiles and transforms belong to. Its own, so that nothing is shared with others who use Little CMS.
@safe final class ColorContext {
    let handle: cmsContext

    init() throws(ImageError) {
        guard let handle = unsafe cmsCreateContext(nil, nil) else {
            throw ImageError(.internal, .decode, "Little CMS has no memory for a context")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe cmsDeleteContext(handle) }
}

import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension WebPContainer {
    /// The frames that are kept, as whole pictures; `file` is what the container was read from.
    func frameDecoder(_ file: Data, _ request: DecodeRequest) throws -> FrameCompositor {
        let limits = request.context.limits
        let pictures =
            isAnimated ? frames.map(WebPStoredPicture.init(frame:)) : [try WebPStoredPicture(still: self, target: size)]
        let compositor = try FrameCompositor(
            canvas: size, hasAlpha: hasAlpha, patches: frames.map(\.patch), limits: limits
        ) { index in
            try pictures[index].bitmap(from: file, request)
        }
        // What the compositor has counted, and libwebp's share.
        let working = frames.lazy.map(\.features.workingByteCount).max() ?? 0
        try limits.check(decodedByteCount: 3 * (size.byteCount ?? 0) + working)
        return compositor
    }

    /// The first frame on its canvas.
    func firstPicture(_ file: Data, _ request: DecodeRequest) throws -> Bitmap {
        var decoder = try frameDecoder(file, request)
        guard let frame = try decoder.nextFrame() else { throw ImageError.endOfWebP }
        return frame.bitmap
    }
}

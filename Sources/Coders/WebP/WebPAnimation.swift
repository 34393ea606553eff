import DarkroomCore
import DarkroomPlatform

extension WebPContainer {
    /// Returns a compositor of the retained frames. `file` must be the data that the container was read from.
    func frameDecoder(of file: Data, for request: DecodeRequest) throws -> FrameCompositor {
        let limits = request.context.limits
        let images =
            isAnimated ? frames.map(WebPStoredImage.init(frame:)) : [try WebPStoredImage(still: self, target: size)]
        let compositor = try FrameCompositor(
            canvas: size, hasAlpha: hasAlpha, patches: frames.map(\.patch), limits: limits
        ) { index in
            try images[index].bitmap(from: file, for: request)
        }
        // The compositor's memory, and that of libwebp.
        let working = frames.lazy.map(\.features.workingByteCount).max() ?? 0
        try limits.check(decodedByteCount: 3 * (size.byteCount ?? 0) + working)
        return compositor
    }

    /// Returns the first frame on its canvas.
    func firstFrameBitmap(of file: Data, for request: DecodeRequest) throws -> Bitmap {
        var decoder = try frameDecoder(of: file, for: request)
        guard let frame = try decoder.nextFrame() else { throw ImageError.truncatedWebP }
        return frame.bitmap
    }
}

import DarkroomCore
import DarkroomPlatform

/// The decode of one encoded image in a WebP: a still, or a frame of an animation.
struct WebPStoredImage {
    /// The location of its bytes.
    let frame: WebPFrame

    /// The output size: its own or a smaller one.
    let size: PixelSize

    /// Whether the bitmap has alpha.
    let hasAlpha: Bool

    /// Creates the decode of a frame of an animation.
    init(frame: WebPFrame) {
        self.frame = frame
        size = frame.size
        hasAlpha = frame.hasAlpha
    }

    /// Creates the decode of a still: at four times the `target` size, which Core then resizes, if libwebp scales such
    /// pixels well, and otherwise at its own.
    init(still container: WebPContainer, target: PixelSize) throws(ImageError) {
        frame = try container.firstFrame
        guard frame.size == container.size else {
            throw ImageError(.corrupt, .decode, "the image in the WebP does not have the size of its canvas")
        }
        hasAlpha = container.hasAlpha
        size = frame.scaledSize(for: target)
    }

    /// The number of bytes held while decoding, including the bitmap.
    var decodedByteCount: Int { (size.byteCount ?? .max / 2) + frame.features.workingByteCount }

    /// Whether alpha must be overwritten: lossless pixels have one even if the header says otherwise.
    var mustBeMadeOpaque: Bool { frame.features.isLossless && !hasAlpha }

    /// Decodes the pixels, all of which must be in `file`.
    func bitmap(from file: Data, for request: DecodeRequest) throws -> Bitmap {
        guard frame.isComplete(in: file) else { throw ImageError.truncatedWebP }
        let limits = request.context.limits
        return try Bitmap.uninitialized(size, hasAlpha: hasAlpha, limits: limits) { pixels in
            try unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                try run(unsafe WebPPixelDecoder(frame.features, into: pixels, size: size), on: file, for: request)
                if mustBeMadeOpaque { unsafe UnsafeMutableRawBufferPointer(pixels).makeOpaque() }
            }
        }
    }

    private func run(_ decoder: WebPPixelDecoder, on file: Data, for request: DecodeRequest) throws {
        let slices = WebPSlices(of: frame.features, byteCount: frame.pixels.count)
        var end = 0
        while !decoder.isFinished {
            guard end < frame.pixels.count else { throw ImageError.corruptPixels }
            try request.checkCancellation()
            end = slices.end(after: end, hasRows: decoder.rowCount > 0)
            try decoder.update(file[frame.pixels.prefix(end)])
        }
    }
}

extension WebPFrame {
    /// The number of pixels from which on it is worthwhile that libwebp scales.
    private static var minimumPixelCount: Int { 1 << 20 }

    /// Returns the size to which libwebp scales the image, for a thumbnail of the `target` size.
    ///
    /// libwebp averages pixels, and enlarges colours that are stored at half the size with an offset. That is visible
    /// unless its pixels are much smaller than those of the target, and no colours are enlarged. It scales lossy colours
    /// regardless of alpha, and lossless ones times alpha in 8 bits.
    fileprivate func scaledSize(for target: PixelSize) -> PixelSize {
        let scaled = PixelSize(4 * target.width, 4 * target.height)
        let isMuchSmaller = 2 * scaled.width <= size.width && 2 * scaled.height <= size.height
        return isMuchSmaller && !hasAlpha && size.width * size.height >= Self.minimumPixelCount ? scaled : size
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Sets the alpha of every pixel to 255.
    func makeOpaque() {
        unsafe withMemoryRebound(to: UInt32.self) { pixels in
            for index in pixels.indices { unsafe pixels[index] |= UInt32(littleEndian: 0xFF00_0000) }
        }
    }
}

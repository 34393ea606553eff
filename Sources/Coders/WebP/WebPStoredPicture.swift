import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The decoding of one picture of a WebP, be it a still or a part of an animation.
struct WebPStoredPicture {
    /// Where its bytes are.
    let frame: WebPFrame

    /// What it is decoded at: the size of its own, or a smaller one.
    let size: PixelSize

    /// Whether its bitmap has alpha.
    let hasAlpha: Bool

    /// A frame of an animation.
    init(frame: WebPFrame) {
        self.frame = frame
        size = frame.size
        hasAlpha = frame.hasAlpha
    }

    /// The still of a file: twice as large as `target`, for Core to make it exact, if libwebp scales such pixels well.
    init(still container: WebPContainer, target: PixelSize) throws(ImageError) {
        frame = try container.firstFrame
        guard frame.size == container.size else {
            throw ImageError(.corrupt, .decode, "the WebP's picture is not as large as its canvas")
        }
        hasAlpha = container.hasAlpha
        // Lossy colours are scaled regardless of their alpha: those of transparent pixels would bleed into the others.
        size =
            frame.features.isLossless || !frame.hasAlpha
            ? PixelSize(min(frame.size.width, 2 * target.width), min(frame.size.height, 2 * target.height))
            : frame.size
    }

    /// The bytes held while it is decoded, the bitmap's among them.
    var decodedByteCount: Int { (size.byteCount ?? .max / 2) + frame.features.workingByteCount }

    /// Lossless pixels have an alpha even where the header denies it.
    var mustBeMadeOpaque: Bool { frame.features.isLossless && !hasAlpha }

    /// Its pixels, all of which must be in `file`.
    func bitmap(from file: Data, _ request: DecodeRequest) throws -> Bitmap {
        guard frame.isComplete(in: file) else { throw ImageError.endOfWebP }
        let limits = request.context.limits
        return try Bitmap.overwritten(size, hasAlpha: hasAlpha, limits: limits) { pixels in
            try unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                try run(unsafe WebPPixelDecoder(frame.features, to: pixels, size), on: file, request)
                if mustBeMadeOpaque { unsafe UnsafeMutableRawBufferPointer(pixels).makeOpaque() }
            }
        }
    }

    private func run(_ decoder: WebPPixelDecoder, on file: Data, _ request: DecodeRequest) throws {
        let slices = WebPSlices(of: frame.features, byteCount: frame.pixels.count)
        var end = 0
        while !decoder.isFinished {
            guard end < frame.pixels.count else { throw ImageError.brokenPixels }
            try request.checkCancellation()
            end = slices.end(after: end, hasRows: decoder.rowCount > 0)
            try decoder.update(file[frame.pixels.prefix(end)])
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Gives every pixel an alpha of 255.
    func makeOpaque() {
        unsafe withMemoryRebound(to: UInt32.self) { pixels in
            for index in pixels.indices { unsafe pixels[index] |= UInt32(littleEndian: 0xFF00_0000) }
        }
    }
}

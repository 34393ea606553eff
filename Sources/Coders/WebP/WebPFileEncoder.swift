import DarkroomCore
import DarkroomPlatform

/// Encodes one image.
struct WebPFileEncoder {
    private let request: EncodeRequest
    private let configuration: WebPConfiguration
    private let byteLimit: Int?

    /// Creates an encoder. Throws if the options of `request` are invalid or the image is too large.
    init(_ request: EncodeRequest) throws(ImageError) {
        let size = request.image.size
        guard max(size.width, size.height) <= 16_383 else {
            throw ImageError(.unsupported, .encode, "a WebP cannot have \(size) pixels, only 16383 per side")
        }
        self.request = request
        configuration = try WebPConfiguration(request)
        byteLimit = configuration.isLossless ? nil : request.context.encodedByteLimit
    }

    /// Returns the encoded file. Pixels whose profile does not fit in the byte limit beside them are converted to sRGB.
    func file() throws -> Data {
        guard let byteLimit, let profile = request.iccProfile, request.colorConverter != nil else {
            return try fileWithProfile()
        }
        // A larger profile would take more bytes than the pixels.
        if profile.count <= byteLimit / 2 {
            let file = try fileWithProfile()
            if file.count <= byteLimit { return file }
        }
        return try WebPFileEncoder(request.inSRGB()).file()
    }

    private func fileWithProfile() throws -> Data {
        var file = WebPFile()
        file.exif = request.exif?.data
        file.xmp = request.xmp?.data
        file.iccProfile = request.iccProfile
        if let animation = request.image.animation, animation.frameCount > 1, !request.context.usesFirstFrameOnly {
            try addFrames(of: animation, to: &file)
        } else {
            let bitmap = request.image.bitmap
            let overhead = file.hasMetadata || bitmap.hasAlpha ? file.overhead : WebPFile.minimumOverhead
            let pixels = try WebPEncodedPixels(
                bitmap, configuration: configuration, byteLimit: byteLimit.map { $0 - overhead }, request: request)
            if !file.hasMetadata { return pixels.file }
            file.body = pixels.chunks
            file.hasAlpha = pixels.hasAlpha
        }
        try request.check(outputByteCount: file.body.count + file.overhead)
        return try file.bytes(canvas: request.image.size)
    }

    private func addFrames(of animation: Animation, to file: inout WebPFile) throws {
        var frames = WebPFrameWriter(loopCount: UInt16(clamping: animation.loopCount))
        let bound = byteLimit.map { $0 - file.overhead }
        var frameCount = animation.frameCount
        try request.forEachFrame { frame in
            guard frame.bitmap.size == request.image.size else {
                throw ImageError(.unsupported, .encode, "all frames of a WebP must have the same size")
            }
            // The unused part of a frame's share is available to the following frames.
            let share = bound.map { ($0 - frames.chunks.count) / max(frameCount, 1) }
            frameCount -= 1
            try frames.add(frame) { part, isLossless in
                try WebPEncodedPixels(
                    part, configuration: isLossless ? configuration.losslessVariant : configuration,
                    byteLimit: share.map { $0 - WebPFrameWriter.overhead }, request: request)
            }
            try request.check(outputByteCount: frames.chunks.count)
        }
        file.isAnimated = true
        file.hasAlpha = frames.hasAlpha
        file.body = frames.chunks
    }
}

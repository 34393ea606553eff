import DarkroomCore
import DarkroomPlatform

extension CoderContract {
    /// Checks that each encodable format preserves sizes, alpha and frame counts, or throws `unsupported`, and that equal
    /// requests result in equal bytes.
    ///
    /// Pixels are not compared, because formats may be lossy; see `checkRoundTrip`.
    public func checkEncoding() throws {
        guard let encoder = coder as? any EncodingImageCoder else { return }
        for format in encoder.encodableFormats {
            for (width, height) in [(1, 1), (3, 5), (33, 18)] {
                for hasAlpha in [false, true] {
                    let frame = Frame(.testCard(width, height, hasAlpha: hasAlpha), duration: .milliseconds(100))
                    try check([frame], as: format, with: encoder)
                }
            }
            try check(
                (0..<3).map { Frame(.testCard(20, 17, number: $0), duration: .milliseconds(100)) }, as: format,
                with: encoder
            )
            try checkCancellation(as: format, with: encoder)
            try checkTime(as: format, with: encoder)
        }
    }

    private func check(_ frames: [Frame], as format: ImageFormat, with encoder: any EncodingImageCoder) throws {
        guard let image = Image(frames: frames, format: format) else { return }
        let what = "\(frames.count) frames of \(image.size)"
        let request = EncodeRequest(image: image, format: format)
        let data: Data
        do {
            data = try encoder.encode(request)
        } catch {
            return try require(
                (error as? ImageError)?.kind == .unsupported, "\(what) cannot be encoded as \(format): \(error)")
        }
        try subject.running("\(what) as \(format)") {
            try require(try encoder.encode(request) == data, "equal requests give different bytes")
            guard coder.formats.contains(format) else { return }
            let decoded = try registry.decode(data)
            try require(
                decoded.info.format == format, "an image encoded as \(format) decodes as \(decoded.info.format)")
            try require(decoded.size == image.size, "an image of \(image.size) decodes to \(decoded.size)")
            try require(!image.info.hasAlpha || decoded.info.hasAlpha, "an image with alpha decodes without it")
            let frameCount = decoded.animation?.frameCount ?? 1
            try require(frameCount == frames.count, "\(frames.count) frames decode to \(frameCount)")
        }
    }

    private func checkTime(as format: ImageFormat, with encoder: any EncodingImageCoder) throws {
        guard let image = Image(frames: [Frame(.testCard(40, 40), duration: .zero)], format: format) else { return }
        try subject.naming("an image of 40×40 as \(format)") {
            try checkLimit("workTime") {
                _ = try encoder.encode(
                    EncodeRequest(image: image, format: format, clock: WorkClock(limit: .seconds(0))))
            }
        }
    }

    private func checkCancellation(as format: ImageFormat, with encoder: any EncodingImageCoder) throws {
        let flag = CancellationFlag()
        flag.set()
        guard let image = Image(frames: [Frame(.testCard(40, 40), duration: .zero)], format: format) else { return }
        try subject.naming("an image of 40×40 as \(format)") {
            do {
                _ = try encoder.encode(EncodeRequest(image: image, format: format, cancellation: flag))
            } catch {
                return try require(error.isCancellation, "cancelled encoding ends in another error: \(error)")
            }
            try require(false, "encoding \(format) ignores cancellation")
        }
    }
}

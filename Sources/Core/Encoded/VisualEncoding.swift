import DarkroomPlatform

/// The encoding of an image with the lowest quality that reaches the visual target of the context.
///
/// The scores of an animation are those of its first frame. It is then not encoded with less than most photographs need,
/// because that frame may be blank.
struct VisualEncoding {
    let request: EncodeRequest
    let target: VisualQuality
    let encoder: any EncodingImageCoder
    let coders: CoderRegistry
    let cancellation: CancellationFlag?
    let clock: WorkClock

    /// Returns the file, and the quality that was chosen: `nil` if the format has none, or the limit of bytes decided.
    func file() throws -> (data: Data, quality: ChosenQuality?) {
        guard encoder.ranges(of: request.format).hasQuality else {
            return (try encoded(at: nil, within: request.context.encodedByteLimit), nil)
        }
        var (file, quality) = try search()
        if isAnimation {
            file = try encoded(at: quality.quality)
            quality.encodeCount += 1
        }
        guard let bound = request.context.encodedByteLimit, file.count > bound else { return (file, quality) }
        return (try encoded(at: nil, within: bound), nil)
    }

    private var isAnimation: Bool { request.image.animation != nil }

    private func search() throws -> (data: Data, quality: ChosenQuality) {
        let comparator = try comparator()
        let still = request.with(image: request.image.firstFrame)
        var search = VisualSearch(target.score, isCautious: isAnimation)
        var best = Data()
        while let percent = search.next {
            let data = try encoder.encode(still.with(quality: Double(percent) / 100))
            try request.check(outputByteCount: data.count)
            let score = try score(of: data, by: comparator)
            let trial = VisualSearch.Trial(percent: percent, score: score, byteCount: data.count)
            search.add(trial)
            if search.best == trial { best = data }
        }
        guard let chosen = search.best else { throw ImageError(.internal, .encode, "no quality was tried") }
        let quality = ChosenQuality(
            quality: Double(chosen.percent) / 100, score: chosen.score, encodeCount: search.trials.count)
        return (best, quality)
    }

    private func encoded(at quality: Double?, within bound: Int? = nil) throws -> Data {
        try request.with(quality: quality, byteLimit: bound).file(by: encoder)
    }

    private func comparator() throws(ImageError) -> any ImageComparator {
        guard let comparator = coders.comparator else {
            throw ImageError(
                .unsupported, .encode,
                "context.visualTarget needs a comparator, and none is installed; set coders.comparator, such as to SSIMULACRA2() of DarkroomVisualQuality"
            )
        }
        try ImageError.check(target.score, in: 0...100, name: "context.visualTarget.score")
        try request.context.limits.check(decodedByteCount: comparator.byteCount(for: request.image.size))
        return comparator
    }

    /// Returns the score of the image in `file`, whose pixels are decoded in the colours in which they were encoded.
    private func score(of file: Data, by comparator: any ImageComparator) throws -> Double {
        let context = ImageContext {
            $0.limits = request.context.limits
            $0.keepsProfile = true
            $0.usesFirstFrameOnly = true
        }
        let decoded = try coders.only(encoder).decode(file, context: context, cancellation: cancellation, clock: clock)
        let reference = try reference(for: decoded.bitmap)
        guard decoded.size == reference.size else {
            throw ImageError(
                .internal, .encode,
                "the coder of \(request.format) decodes its file of \(reference.size) as \(decoded.size)")
        }
        let score = try comparator.score(
            of: decoded.bitmap, reference: reference, checkCancellation: request.checkCancellation)
        return score.isNaN ? -.infinity : score
    }

    /// Returns the pixels to compare with: those of the image, or what they look like in a format without alpha.
    private func reference(for decoded: Bitmap) throws -> Bitmap {
        let bitmap = request.image.bitmap
        guard bitmap.hasAlpha, !decoded.hasAlpha, let background = request.context.background else { return bitmap }
        return try bitmap.composed(over: background, limits: request.context.limits)
    }
}

extension EncodeRequest {
    fileprivate func with(image: Image) -> EncodeRequest { EncodeRequest(image, like: self, context: context) }

    /// Returns the request for a file with `quality`, or with at most `byteLimit` bytes.
    fileprivate func with(quality: Double?, byteLimit: Int? = nil) -> EncodeRequest {
        with {
            $0.visualTarget = nil
            $0.encoderQuality = nil
            $0.quality = quality
            $0.encodedByteLimit = byteLimit
        }
    }
}

extension Bitmap {
    /// Returns the pixels over `background`, opaque.
    fileprivate func composed(over background: Color, limits: DecodeLimits) throws -> Bitmap {
        let behind = [background.red, background.green, background.blue].map(Int.init)
        return try withPixels { source in
            try Bitmap(size, hasAlpha: false, limits: limits) { pixels in
                for start in stride(from: 0, to: source.count, by: 4) {
                    let alpha = Int(source[start + 3])
                    for channel in 0..<3 {
                        let sum = Int(source[start + channel]) * alpha + behind[channel] * (255 - alpha)
                        pixels[start + channel] = UInt8((sum + 127) / 255)
                    }
                    pixels[start + 3] = 255
                }
            }
        }
    }
}

public import DarkroomCore
public import DarkroomPlatform

/// The rules that every coder must follow. Each check throws a ``ContractViolation`` that describes the broken rule.
public struct CoderContract: Sendable {
    let coder: any ImageCoder
    let registry: CoderRegistry
    let subject: Subject
    /// The name of the file under test, if it has one.
    private var name: String?

    /// Creates the contract of `coder`.
    public init(_ coder: any ImageCoder) {
        self.coder = coder
        registry = CoderRegistry([coder])
        subject = Subject(coder)
    }

    /// Returns the same contract, whose violations name the file under test `name`; otherwise they state its length.
    public func naming(_ name: String) -> CoderContract {
        var contract = self
        contract.name = name
        return contract
    }

    /// Runs `body`, whose violations name the file `data`.
    func on<Result>(_ data: Data, _ body: () throws -> Result) throws -> Result {
        try subject.naming(inputName(data), body)
    }

    /// The name of the file under test.
    func inputName(_ data: Data) -> String { name ?? "a file of \(data.count) bytes" }

    /// Checks that the coder accepts a file of its format, and not other bytes.
    public func checkSignature(_ data: Data) throws {
        try on(data) { try checkAcceptance(of: data) }
    }

    private func checkAcceptance(of data: Data) throws {
        try require(coder.canDecode(data), "it rejects a file of its own format")
        try require(!coder.canDecode(Data()), "it accepts empty data")
        try require(!coder.canDecode(Data("not a picture".utf8)), "it accepts plain text")
        try require(
            coder.canDecode(data.offset), "it rejects a file whose indices do not start at 0")
        if coder is any ProgressiveImageCoder, let header = headerPrefix(of: data) {
            try require(
                coder.canDecode(header), "it rejects the first \(header.count) bytes, which are all that previews need")
        }
    }

    /// Checks that the header agrees with the decoded image.
    public func checkInfo(_ data: Data) throws {
        try running(on: data) {
            let info = try coder.info(of: data)
            try require(
                info.storedSize.width > 0 && info.storedSize.height > 0,
                "the header declares the size \(info.storedSize)")
            try require(
                (1...16).contains(info.bitsPerChannel), "the header declares \(info.bitsPerChannel) bits per channel")
            let isAnimated = info.frameCount > 1
            try require(info.frameCount > 0, "the header declares \(info.frameCount) frames")
            try require(
                info.frameDurations.count == (isAnimated ? info.frameCount : 0),
                "the header declares \(info.frameDurations.count) durations for \(info.frameCount) frames")
            try require(
                isAnimated ? info.loopCount >= 0 : info.loopCount == 0,
                "the header declares a loop count of \(info.loopCount)")
            try require(
                info.frameDurations.allSatisfy { $0 >= .zero },
                "the header declares a negative duration")
            let bitmap = try coder.decode(DecodeRequest(data: data, info: info))
            try require(
                bitmap.size == info.storedSize,
                "the header declares \(info.storedSize), but the pixels are \(bitmap.size)")
            try require(bitmap.hasAlpha == info.hasAlpha, "header and pixels disagree about alpha")
            try require(
                coder.formats.contains(info.format),
                "the header declares \(info.format), which is not among the formats of the coder")
            try require(bitmap.hasAlpha || bitmap.isOpaque, "a bitmap without alpha has transparent pixels")
        }
    }

    /// Checks that every prefix of a file ends in an `ImageError` or an image.
    ///
    /// At most `countLimit` prefixes are tried, half of them the shortest ones, which end within the header.
    public func checkPrefixes(_ data: Data, countLimit: Int = 65_536) throws {
        for count in Self.prefixCounts(of: data.count, countLimit: countLimit) {
            do {
                _ = try subject.trying("the first \(count) of \(data.count) bytes") {
                    try registry.decode(Data(data.prefix(count)))
                }
            } catch {
                try on(data) {
                    try require(
                        (error as? ImageError)?.kind != .internal,
                        "the first \(count) bytes end in an error that is not an ImageError: \(error)")
                }
            }
        }
    }

    /// Checks that the pixel limit applies before decoding, that the coder itself enforces the limits on memory and time,
    /// and that errors name the exceeded limit.
    public func checkLimits(_ data: Data) throws {
        try on(data) { try checkEachLimit(on: data) }
    }

    private func checkEachLimit(on data: Data) throws {
        let info = try info(of: data)
        let pixelCount = info.storedSize.width * info.storedSize.height
        try checkLimit("pixelCount") {
            _ = try registry.decode(data, context: ImageContext { $0.limits.pixelCount = pixelCount - 1 })
        }
        try checkLimit("decodedByteCount") {
            let context = ImageContext { $0.limits.decodedByteCount = pixelCount * 4 - 1 }
            _ = try coder.decode(DecodeRequest(data: data, info: info, context: context))
        }
        for target in Self.targets(of: info) {
            try checkLimit("workTime") {
                let context = ImageContext { $0.limits.workTime = .seconds(-1) }
                _ = try coder.decode(DecodeRequest(data: data, info: info, target: target, context: context))
            }
        }
    }

    /// Returns targets whose decoding must be stoppable: a few rows can have any number of pixels.
    static func targets(of info: ImageInfo) -> [PixelSize] {
        let size = info.storedSize
        return [size, PixelSize(max(size.width / 3, 1), max(size.height / 3, 1))]
    }

    /// Throws a violation unless `body` ends in an error that names the limit `name`.
    func checkLimit(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            let error = error as? ImageError
            try require(
                error?.kind == .overLimit,
                "exceeding the limit \(name) ends in another error: \(error, default: "no ImageError")"
            )
            return try require(
                error?.message.contains(name) == true,
                "the error does not name the exceeded limit \(name): \(error, default: "")")
        }
        try require(false, "the limit \(name) is ignored")
    }

    /// Checks that a decoded bitmap is at least as large as the target and no larger than the stored image, and that
    /// thumbnails have exactly the requested size, upright.
    public func checkTargets(_ data: Data) throws {
        try running(on: data) {
            let info = try coder.info(of: data)
            for side in [1, 2, 3, 7, 16, 33] {
                let stored = info.storedSize
                let target =
                    info.isScalable
                    ? PixelSize(side, side * 2) : PixelSize(min(side, stored.width), min(side * 2, stored.height))
                let size = try coder.decode(DecodeRequest(data: data, info: info, target: target)).size
                try require(
                    size.width >= target.width && size.height >= target.height, "decoding at \(target) returns \(size)")
                try require(
                    info.isScalable || size.width <= stored.width && size.height <= stored.height,
                    "decoding at \(target) returns \(size), which is larger than the stored \(stored)")
                for thumbnail in [Thumbnail.fit(Double(side), Double(side)), .stretch(Double(side), Double(2 * side))] {
                    let image = try registry.decode(data, context: ImageContext { $0.thumbnail = thumbnail })
                    let wanted = thumbnail.size(for: info.size, mayEnlarge: info.isScalable)
                    try require(image.size == wanted, "\(thumbnail) returns \(image.size), not \(wanted)")
                }
            }
        }
    }

    /// Checks that decoding an encoded image returns the same pixels, with a channel difference of at most `tolerance`.
    public func checkRoundTrip(_ bitmap: Bitmap, as format: ImageFormat, tolerance: Int = 0) throws {
        let input = "an image of \(bitmap.size) as \(format)"
        try subject.running(input) {
            let image = Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
            let context = ImageContext { $0.quality = 1 }
            let data = try registry.encode(image, as: format, context: context)
            try require(
                try registry.encode(image, as: format, context: context) == data, "equal requests give different bytes")
            let decoded = try registry.decode(data).bitmap
            try require(decoded.size == bitmap.size, "an image of \(bitmap.size) decodes to \(decoded.size)")
            let difference = decoded.firstDifference(from: bitmap, tolerance: tolerance)
            try require(difference == nil, "the decoded image differs: \(difference, default: "")")
        }
    }

    /// Returns the header of a complete file.
    func info(of data: Data) throws -> ImageInfo { try running(on: data) { try coder.info(of: data) } }

    /// Runs `body` with a complete file, which must not fail, and converts its errors to violations.
    func running<Result>(on data: Data, _ body: () throws -> Result) throws -> Result {
        try on(data) { try subject.running(body) }
    }

    /// Returns the shortest prefix with the complete header; `nil` if it is longer than 4,096 bytes.
    func headerPrefix(of data: Data) -> Data? {
        (0...min(data.count, 4_096)).lazy.map { Data(data.prefix($0)) }.first { (try? coder.info(of: $0)) != nil }
    }

    private static func prefixCounts(of byteCount: Int, countLimit: Int) -> [Int] {
        guard byteCount > max(countLimit, 2) else { return Array(0..<byteCount) }
        let (head, rest) = (countLimit / 2, max(countLimit - countLimit / 2, 1))
        let step = max((byteCount - head) / rest, 1)
        return Array(0..<head) + stride(from: head, to: byteCount - 1, by: step) + [byteCount - 1]
    }

    /// Throws a violation with `message` unless `condition` holds.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        try subject.require(condition, message())
    }
}

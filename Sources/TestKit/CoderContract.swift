public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The rules that every coder must follow. Each check throws a ``ContractViolation`` that describes the broken rule.
public struct CoderContract: Sendable {
    let coder: any ImageCoder
    let registry: CoderRegistry
    let subject: Subject

    /// Creates the contract of `coder`.
    public init(_ coder: any ImageCoder) {
        self.coder = coder
        registry = CoderRegistry([coder])
        subject = Subject(coder)
    }

    /// Checks that the coder accepts a file of its format, and not other bytes.
    public func checkSignature(_ data: Data) throws {
        try require(coder.canDecode(data), "it does not take a file of its own format")
        try require(!coder.canDecode(Data()), "it takes no bytes at all")
        try require(!coder.canDecode(Data("not a picture".utf8)), "it takes plain text")
        try require(
            coder.canDecode(data.offset), "it does not take a file whose indices begin at another number than 0")
    }

    /// Checks that the header agrees with the decoded image.
    public func checkInfo(_ data: Data) throws {
        try subject.running {
            let info = try coder.info(of: data)
            try require(info.storedSize.width > 0 && info.storedSize.height > 0, "the header says \(info.storedSize)")
            try require((1...16).contains(info.bitsPerChannel), "the header says \(info.bitsPerChannel) bits a channel")
            let isAnimated = info.frameCount > 1
            try require(info.frameCount > 0, "the header says \(info.frameCount) frames")
            try require(
                info.frameDurations.count == (isAnimated ? info.frameCount : 0),
                "the header has \(info.frameDurations.count) durations of \(info.frameCount) frames")
            try require(
                isAnimated ? info.loopCount >= 0 : info.loopCount == 0,
                "the header says that it plays \(info.loopCount) times")
            try require(info.frameDurations.allSatisfy { $0 >= 0 && $0.isFinite }, "the header has a duration below 0")
            let bitmap = try coder.decode(DecodeRequest(data: data, info: info))
            try require(
                bitmap.size == info.storedSize, "the header says \(info.storedSize), the pixels are \(bitmap.size)")
            try require(bitmap.hasAlpha == info.hasAlpha, "header and pixels disagree about alpha")
            try require(coder.formats.contains(info.format), "it says \(info.format), which is not among its formats")
            try require(bitmap.hasAlpha || bitmap.isOpaque, "a bitmap without alpha has transparent pixels")
        }
    }

    /// Every prefix of a file ends in an `ImageError` or a picture.
    ///
    /// Of files that have more, `maxCount` are tried: half of them the shortest ones, where headers are.
    public func checkPrefixes(_ data: Data, maxCount: Int = 65_536) throws {
        for count in Self.prefixCounts(of: data.count, maxCount: maxCount) {
            do {
                _ = try registry.decode(Data(data.prefix(count)))
            } catch {
                try require(
                    error.kind != .internal,
                    "the first \(count) bytes end in an error that is not an ImageError: \(error)")
            }
        }
    }

    /// Limits hold before anything is decoded, the coder itself keeps to those on memory and time, and refusals name them.
    public func checkLimits(_ data: Data) throws {
        let info = try info(of: data)
        let pixelCount = info.storedSize.width * info.storedSize.height
        try checkLimit("pixelCount") {
            _ = try registry.decode(data, context: ImageContext { $0.limits.pixelCount = pixelCount - 1 })
        }
        try checkLimit("decodedByteCount") {
            let context = ImageContext { $0.limits.decodedByteCount = pixelCount * 4 - 1 }
            _ = try coder.decode(DecodeRequest(data: data, info: info, context: context))
        }
        for target in Self.longTargets(of: info) {
            try checkLimit("workSeconds") {
                let context = ImageContext { $0.limits.workSeconds = -1 }
                _ = try coder.decode(DecodeRequest(data: data, info: info, target: target, context: context))
            }
        }
    }

    /// Targets whose decoding takes long enough to be stopped; what has a row or two is done before anybody asks.
    static func longTargets(of info: ImageInfo) -> [PixelSize] {
        let size = info.storedSize
        guard size.height >= 16 else { return [] }
        return [size, PixelSize(max(size.width / 3, 1), size.height / 3)]
    }

    /// Throws a violation unless `body` is refused by the limit of this name.
    func checkLimit(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            let error = error as? ImageError
            try require(
                error?.kind == .overLimit, "the limit \(name) ends in another error: \(error, default: "no ImageError")"
            )
            return try require(
                error?.message.contains(name) == true,
                "the refusal does not name the limit \(name): \(error, default: "")")
        }
        try require(false, "the limit \(name) is not seen")
    }

    /// Whatever target is asked for, the coder gives at least as many pixels, and in the end the picture has it, upright.
    public func checkTargets(_ data: Data) throws {
        try subject.running {
            let info = try coder.info(of: data)
            for side in [1, 2, 3, 7, 16, 33] {
                let stored = info.storedSize
                let target =
                    info.isScalable
                    ? PixelSize(side, side * 2) : PixelSize(min(side, stored.width), min(side * 2, stored.height))
                let size = try coder.decode(DecodeRequest(data: data, info: info, target: target)).size
                try require(
                    size.width >= target.width && size.height >= target.height, "asked for \(target), it gives \(size)")
                try require(
                    info.isScalable || size.width <= stored.width && size.height <= stored.height,
                    "asked for \(target), it gives \(size), which is more than the \(stored) that there are")
                for thumbnail in [Thumbnail.fit(Double(side), Double(side)), .stretch(Double(side), Double(2 * side))] {
                    let image = try registry.decode(data, context: ImageContext { $0.thumbnail = thumbnail })
                    let wanted = thumbnail.size(for: info.size, mayEnlarge: info.isScalable)
                    try require(image.size == wanted, "\(thumbnail) gives \(image.size), not \(wanted)")
                }
            }
        }
    }

    /// Decoding what was encoded gives the same picture; `tolerance` is the largest difference of a channel.
    public func checkRoundTrip(_ bitmap: Bitmap, as format: ImageFormat, tolerance: Int = 0) throws {
        try subject.running {
            let image = Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
            let data = try registry.encode(image, as: format)
            try require(try registry.encode(image, as: format) == data, "equal requests give different bytes")
            let decoded = try registry.decode(data).bitmap
            try require(decoded.size == bitmap.size, "\(bitmap.size) came back as \(decoded.size)")
            let difference = decoded.largestDifference(to: bitmap)
            try require(difference <= tolerance, "a channel came back \(difference) levels away")
        }
    }

    /// The header of a whole file.
    func info(of data: Data) throws -> ImageInfo { try subject.running { try coder.info(of: data) } }

    private static func prefixCounts(of byteCount: Int, maxCount: Int) -> [Int] {
        guard byteCount > max(maxCount, 2) else { return Array(0..<byteCount) }
        let (head, rest) = (maxCount / 2, max(maxCount - maxCount / 2, 1))
        let step = max((byteCount - head) / rest, 1)
        return Array(0..<head) + stride(from: head, to: byteCount - 1, by: step) + [byteCount - 1]
    }

    /// Throws a violation with `message` unless `condition` holds.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        try subject.require(condition, message())
    }
}

public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What every coder must hold. Each check throws a `ContractViolation` that says what does not.
public struct CoderContract: Sendable {
    let coder: any ImageCoder
    let registry: CoderRegistry

    /// The contract of `coder`.
    public init(_ coder: any ImageCoder) {
        self.coder = coder
        registry = CoderRegistry([coder])
    }

    /// A file of the coder's format is taken, and random bytes are not.
    public func checkSignature(_ data: Data) throws {
        try require(coder.canDecode(data), "it does not take a file of its own format")
        try require(!coder.canDecode(Data()), "it takes no bytes at all")
        try require(!coder.canDecode(Data("not a picture".utf8)), "it takes plain text")
    }

    /// The header says what decoding gives.
    public func checkInfo(_ data: Data) throws {
        let info = try coder.info(of: data)
        let bitmap = try coder.decode(DecodeRequest(data: data, info: info))
        try require(bitmap.size == info.storedSize, "the header says \(info.storedSize), the pixels are \(bitmap.size)")
        try require(bitmap.hasAlpha == info.hasAlpha, "header and pixels disagree about alpha")
        try require(coder.formats.contains(info.format), "it says \(info.format), which is not among its formats")
        try require(bitmap.hasAlpha || bitmap.isOpaque, "a bitmap without alpha has transparent pixels")
    }

    /// Every prefix of a file ends in an `ImageError` or a picture.
    public func checkPrefixes(_ data: Data) throws {
        for count in 0..<data.count {
            do {
                _ = try registry.decode(Data(data.prefix(count)))
            } catch {
                try require(
                    error.kind != .internal, "the first \(count) bytes end in an error that is no ImageError: \(error)")
            }
        }
    }

    /// Limits hold before anything is decoded.
    public func checkLimits(_ data: Data) throws {
        var context = ImageContext()
        context.limits.pixelCount = 1
        do {
            _ = try registry.decode(data, context: context)
        } catch {
            return try require(error.kind == .overLimit, "a limit on pixels ends in \(error)")
        }
        try require(false, "a limit on pixels is not seen")
    }

    /// Whatever target is asked for, the picture has it in the end, upright.
    public func checkTargets(_ data: Data) throws {
        let info = try coder.info(of: data)
        for side in [1, 2, 3, 7, 16, 33] {
            for thumbnail in [Thumbnail.fit(Double(side), Double(side)), .stretch(Double(side), Double(2 * side))] {
                let image = try registry.decode(data, context: ImageContext { $0.thumbnail = thumbnail })
                let wanted = thumbnail.size(for: info.size)
                try require(image.size == wanted, "\(thumbnail) gives \(image.size), not \(wanted)")
            }
        }
    }

    /// Decoding what was encoded gives the same picture; `tolerance` is the largest difference of a channel.
    public func checkRoundTrip(_ bitmap: Bitmap, as format: ImageFormat, tolerance: Int = 0) throws {
        let image = Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
        let data = try registry.encode(image, as: format)
        try require(try registry.encode(image, as: format) == data, "equal requests give different bytes")
        let decoded = try registry.decode(data).bitmap
        try require(decoded.size == bitmap.size, "\(bitmap.size) came back as \(decoded.size)")
        let difference = decoded.largestDifference(to: bitmap)
        try require(difference <= tolerance, "a channel came back \(difference) levels away")
    }

    /// Throws a violation that says `message` unless `condition` holds.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw ContractViolation(subject: "\(type(of: coder))", message: message()) }
    }
}

/// What a plug-in does not hold.
public struct ContractViolation: Error, CustomStringConvertible {
    /// The plug-in's type.
    public let subject: String

    /// One sentence.
    public let message: String

    /// Both.
    public var description: String { "\(subject): \(message)" }
}

extension Bitmap {
    fileprivate var isOpaque: Bool {
        withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } }
    }

    /// Of any channel of any pixel; both bitmaps have the same size.
    func largestDifference(to other: Bitmap) -> Int {
        withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { max($0, abs(Int(left[$1]) - Int(right[$1]))) }
            }
        }
    }
}

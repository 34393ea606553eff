/// The values of an animation that a format can store, and whether it has qualities.
///
/// Core checks them before it calls an encoder. A value out of range is an error of kind `unsupported`.
public struct EncodingRanges: Hashable, Sendable {
    /// The numbers of plays; 0 for infinite. The default is 0 or more.
    public var loopCount = 0...Int.max

    /// The durations of a frame. The default is zero or more.
    public var frameDuration = Duration.zero...Self.longestDuration

    /// Whether the quality affects the file. A format that is always lossless, or whose losses have another cause, has none.
    public var hasQuality = true

    private static let longestDuration = Duration.seconds(Int64.max)

    /// Creates the default ranges.
    public init() {}

    /// Creates these ranges.
    public init(loopCount: ClosedRange<Int>, frameDuration: ClosedRange<Duration>, hasQuality: Bool = true) {
        self.loopCount = loopCount
        self.frameDuration = frameDuration
        self.hasQuality = hasQuality
    }

    /// The durations of a frame in seconds.
    fileprivate var frameSeconds: ClosedRange<Double> {
        let (shortest, longest) = (frameDuration.lowerBound, frameDuration.upperBound)
        return shortest.inSeconds...(longest == Self.longestDuration ? .greatestFiniteMagnitude : longest.inSeconds)
    }
}

extension EncodeRequest {
    /// Throws an error of kind `unsupported` if the quality, the loop count or a frame duration is out of range.
    ///
    /// Core calls it before every encoder. An encoder calls it itself if it can be called without Core.
    public func check(_ ranges: EncodingRanges) throws(ImageError) {
        if let quality = context.quality { try ImageError.check(quality, in: 0...1, name: "context.quality") }
        guard let animation = image.animation, animation.frameCount > 1, !context.usesFirstFrameOnly else { return }
        try ImageError.check(animation.loopCount, in: ranges.loopCount, name: "the loop count for \(format)")
        let frameSeconds = ranges.frameSeconds
        for duration in animation.frameDurations {
            try ImageError.check(
                duration.inSeconds, in: frameSeconds, name: "the duration of a frame in seconds for \(format)")
        }
    }
}

extension ImageError {
    /// Throws an error of kind `unsupported`, which names `range`, if an encoder cannot use `value`. `name` describes
    /// the value, such as `context.quality`.
    public static func check<Value: Comparable & LosslessStringConvertible>(
        _ value: Value, in range: ClosedRange<Value>, name: String
    ) throws(ImageError) {
        // NaN is in no range.
        guard !range.contains(value) else { return }
        let isUnbounded = [String(Int.max), String(Double.greatestFiniteMagnitude)].contains(range.upperBound.text)
        let (lower, upper) = (range.lowerBound.text, range.upperBound.text)
        let bounds = isUnbounded ? "\(lower) or more" : "from \(lower) to \(upper)"
        throw ImageError(.unsupported, .encode, "\(name) is \(value.text), but must be \(bounds)")
    }
}

extension LosslessStringConvertible {
    /// The text of a number, without the fraction of a whole one.
    fileprivate var text: String {
        let text = String(self)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

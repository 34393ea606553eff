/// The numbers of an encoder that look like the qualities of the common scale, which is that of ``ImageContext/quality``.
///
/// A coder has one for each encoder, made of measurements by `Scripts/measure-quality`.
public struct QualityTable: Hashable, Sendable {
    /// The numbers for the qualities 0, 0.01, 0.02 and so on.
    private let numbers: [Double]

    /// The numbers that the encoder accepts.
    public let range: ClosedRange<Double>

    /// Creates a table of 101 numbers, for the qualities 0, 0.01, …, 1, all of them in `range`.
    public init(_ numbers: [Double], range: ClosedRange<Double>) {
        precondition(numbers.count == 101, "a table has 101 numbers, but \(numbers.count) are given")
        precondition(numbers.allSatisfy(range.contains), "a number of the table is outside \(range)")
        self.numbers = numbers
        self.range = range
    }

    /// The percentages of libjpeg, which define the scale.
    public static let percent = QualityTable((0...100).map { Double(max($0, 1)) }, range: 1...100)

    /// Returns the number for `quality`, from 0 to 1, interpolated between those of whole percentages.
    public func number(for quality: Double) -> Double {
        // NaN counts as 0.
        let position = quality >= 0 ? min(quality, 1) * 100 : 0
        let index = min(Int(saturating: position), 99)
        let fraction = position - Double(index)
        return numbers[index] * (1 - fraction) + numbers[index + 1] * fraction
    }
}

extension EncodeRequest {
    /// The quality on the common scale: that of the context, or else ``DefaultQuality/delivered``.
    public var quality: Double { context.quality ?? DefaultQuality.delivered }

    /// Returns the number for an encoder with this `table`: the context's own number for it, or else that for `quality`.
    ///
    /// - Throws: An error of kind `unsupported` if the encoder does not accept the number of the context.
    public func encoderQuality(by table: QualityTable) throws(ImageError) -> Double {
        guard let number = context.encoderQuality else { return table.number(for: quality) }
        try ImageError.check(number, in: table.range, name: "context.encoderQuality")
        return number
    }
}

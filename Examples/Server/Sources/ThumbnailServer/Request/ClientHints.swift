/// The client hints of a browser about the layout of an image.
struct ClientHints {
    /// The step to which widths are rounded up, so that windows of similar width share a result.
    private static let widthStep = 100.0

    /// The device pixel ratio, 1 to 4 in quarters; 1 without a hint.
    let pixelRatio: Double

    /// The width of the image in physical pixels; `nil` without a hint.
    let width: Double?

    /// Parses the fields, which are plain decimal numbers.
    init(pixelRatio: String?, width: String?) {
        func number(_ text: String?) -> Double? {
            text.flatMap { Double(plainDecimal: $0.utf8) }.flatMap { $0 > 0 ? $0 : nil }
        }
        self.pixelRatio = min(max((number(pixelRatio) ?? 1) * 4, 4), 16).rounded(.up) / 4
        self.width = number(width).map { min(max(($0 / Self.widthStep).rounded(.up), 1), 80) * Self.widthStep }
    }
}

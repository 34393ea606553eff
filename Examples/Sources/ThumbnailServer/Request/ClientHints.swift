/// What a browser tells about the place of a picture on its page.
struct ClientHints {
    /// Widths are rounded up to a multiple of this, so that not every window has a picture of its own.
    private static let widthStep = 100.0

    /// Pixels of the screen for one of the page, 1 to 4, in quarters; 1 when nothing is said.
    let pixelRatio: Double

    /// The picture's width in pixels; `nil` when nothing is said.
    let width: Double?

    /// The hints of these fields, which are plain decimal numbers.
    init(pixelRatio: String?, width: String?) {
        func number(_ text: String?) -> Double? {
            text.flatMap { Double(plainDecimal: $0.utf8) }.flatMap { $0 > 0 ? $0 : nil }
        }
        self.pixelRatio = min(max((number(pixelRatio) ?? 1) * 4, 4), 16).rounded(.up) / 4
        self.width = number(width).map { min(max(($0 / Self.widthStep).rounded(.up), 1), 80) * Self.widthStep }
    }
}

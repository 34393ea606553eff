import HTTPTypes

/// What a browser tells about the place of a picture on its page.
struct ClientHints {
    /// The name of the field with the pixels of the screen for one of the page.
    static let pixelRatioName = "Sec-CH-DPR"

    /// The name of the field with the picture's width in pixels of the screen.
    static let widthName = "Sec-CH-Width"

    /// Widths are rounded up to a multiple of this, so that not every window has a picture of its own.
    private static let widthStep = 100.0

    /// Pixels of the screen for one of the page, 1 to 4, in quarters; 1 when nothing is said.
    let pixelRatio: Double

    /// The picture's width in pixels; `nil` when nothing is said.
    let width: Double?

    /// What `headers` say.
    init(_ headers: HTTPFields) {
        func number(_ name: String) -> Double? {
            let value = HTTPField.Name(name).flatMap { headers[$0] }.flatMap(Double.init)
            return value.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }
        pixelRatio = min(max((number(Self.pixelRatioName) ?? 1) * 4, 4), 16).rounded(.up) / 4
        width = number(Self.widthName).map { min(max(($0 / Self.widthStep).rounded(.up), 1), 80) * Self.widthStep }
    }
}

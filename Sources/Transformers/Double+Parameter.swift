import DarkroomCore

extension PixelSize {
    /// The size whose sides are `width` and `height`, rounded up to whole pixels; `nil` for sides that are none.
    init?(rounding width: Double, _ height: Double) {
        guard let width = try? width.side("the width"), let height = try? height.side("the height") else { return nil }
        self.init(width, height)
    }
}

extension Double {
    /// The longest side, and the farthest distance, that a transformer takes.
    private static var longest: Double { 1e9 }

    /// The number, a side of a picture, rounded up to whole pixels; `name` says whose it is when it is none.
    ///
    /// What an identifier does not show, does not count: it may stand for a whole number.
    func side(_ name: String) throws(ImageError) -> Int {
        guard self > 0, self <= Self.longest else { throw unsupported(name, "above 0 and at most 1000000000 pixels") }
        return Swift.max(1, Int((self - 0.000_000_5).rounded(.up)))
    }

    /// The number, a distance of 0 or more; `name` says which when it is none.
    func distance(_ name: String) throws(ImageError) -> Double {
        guard self >= 0, self <= Self.longest else { throw unsupported(name, "0 to 1000000000 pixels") }
        return self
    }

    /// The number, a way to either side, rounded to whole pixels; `name` says which when it is none.
    func offset(_ name: String) throws(ImageError) -> Int {
        guard magnitude <= Self.longest else { throw unsupported(name, "-1000000000 to 1000000000 pixels") }
        return Int(rounded())
    }

    /// The error of a parameter called `name` that is this number instead of one that is `allowed`.
    func unsupported(_ name: String, _ allowed: String) -> ImageError {
        ImageError(.unsupported, .transform, "\(name) is \(self), but must be \(allowed)")
    }
}

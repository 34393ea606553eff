import DarkroomCore

extension PixelSize {
    /// Creates the size with the sides `width` and `height`, rounded up to whole pixels. Returns `nil` if one of them is
    /// out of range.
    init?(roundingUpWidth width: Double, height: Double) {
        guard let width = try? width.side("the width"), let height = try? height.side("the height") else { return nil }
        self.init(width, height)
    }
}

extension Double {
    /// The maximum length and distance that transformers accept.
    private static var longest: Double { 1e9 }

    /// Returns the number, the side of an image, rounded up to whole pixels.
    ///
    /// Decimals that an identifier does not include are ignored: a side that exceeds an integer by at most half of its
    /// last decimal counts as that integer.
    ///
    /// - Parameter name: The name of the side in the error, which is thrown if the number is out of range.
    func side(_ name: String) throws(ImageError) -> Int {
        guard self > 0, self <= Self.longest else {
            throw unsupported(name, allowed: "above 0 and at most 1000000000 pixels")
        }
        return Swift.max(1, Int((self - 0.000_000_5).rounded(.up)))
    }

    /// Returns the number, which must be a distance of at least 0; `name` is its name in the error otherwise.
    func distance(_ name: String) throws(ImageError) -> Double {
        guard self >= 0, self <= Self.longest else { throw unsupported(name, allowed: "0 to 1000000000 pixels") }
        return self
    }

    /// Returns the number, an offset in either direction, rounded to whole pixels; `name` is its name in the error if
    /// it is out of range.
    func offset(_ name: String) throws(ImageError) -> Int {
        guard magnitude <= Self.longest else { throw unsupported(name, allowed: "-1000000000 to 1000000000 pixels") }
        return Int(rounded())
    }

    /// Returns the error for a parameter called `name` with this value instead of an `allowed` one.
    func unsupported(_ name: String, allowed: String) -> ImageError {
        ImageError(.unsupported, .transform, "\(name) is \(self), but must be \(allowed)")
    }
}

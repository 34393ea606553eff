/// The qualities that apply where none is set, on the scale of ``ImageContext/quality``.
///
/// The library, the command line and the server take theirs from here.
public enum DefaultQuality {
    /// The quality of files that are delivered: the differences are seen by those who look for them, and a JPEG has about
    /// an eighth of the bytes of the best one.
    public static let delivered = 0.8

    /// Returns the quality of results of `size` that a manager stores for itself, which are shown or encoded again later.
    ///
    /// It is visually lossless: the SSIMULACRA2 of a JPEG is 90 or more in the median of photographs. Small pictures, whose
    /// details are as small as pixels, need a little more for that.
    public static func stored(at size: PixelSize) -> Double {
        max(size.width, size.height) < largeSide ? 0.93 : 0.92
    }

    /// The side from which on the lower quality of large pictures is enough.
    static let largeSide = 480
}

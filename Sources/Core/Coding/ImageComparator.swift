/// A perceptual metric, set as the comparator of the registry: it tells how similar two images look.
///
/// Core searches with it for the quality that reaches ``ImageContext/visualTarget``. `DarkroomVisualQuality` has one.
public protocol ImageComparator: Sendable {
    /// Returns the score of `image` as a copy of `reference`, which has the same size: 100 if they are identical, and less the
    /// more they differ, on the scale of SSIMULACRA2. Equal images must have equal scores on every run.
    ///
    /// It calls `checkCancellation` every few rows, and passes on its errors.
    func score(of image: Bitmap, reference: Bitmap, checkCancellation: () throws -> Void) throws -> Double

    /// The bytes needed for images of `size`, in addition to both of them.
    func byteCount(for size: PixelSize) -> Int
}

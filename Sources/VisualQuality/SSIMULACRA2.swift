public import DarkroomCore

/// The perceptual metric SSIMULACRA2 by Jon Sneyers (https://github.com/cloudinary/ssimulacra2, version 2.1).
///
/// It compares structure, added edges and lost details at six scales in the colour space XYB, and weighs them by the opinions
/// of observers. A score of 90 is visually lossless, 70 high quality, 50 medium and 30 low; identical images have 100,
/// and very different ones less than 0.
///
/// Images with alpha are compared on dark and on light grey, and the lower score counts. Images of any size are compared at
/// six scales: the published program omits scales of small images, and so weighs the others wrongly where a side is below
/// 113 pixels.
public struct SSIMULACRA2: ImageComparator {
    /// Creates the metric.
    public init() {}

    /// The bytes needed in addition to the images.
    public func byteCount(for size: PixelSize) -> Int { Scale.byteCount(width: size.width) }

    /// Returns the score of `image`. The pixels of both are taken as sRGB.
    ///
    /// - Precondition: Both have the same size.
    public func score(
        of image: Bitmap, reference: Bitmap, checkCancellation: () throws -> Void
    ) throws -> Double {
        precondition(image.size == reference.size, "images of \(image.size) and \(reference.size) cannot be compared")
        // Tenths of white, from dark to light.
        let backgrounds = image.hasAlpha || reference.hasAlpha ? [1, 9] : [0]
        return try backgrounds.map { tenths in
            try score(of: image, reference, over: (255 * LightTable.steps * tenths + 5) / 10, checkCancellation)
        }.min() ?? 100
    }

    private func score(
        of image: Bitmap, _ reference: Bitmap, over background: Int, _ checkCancellation: () throws -> Void
    ) throws -> Double {
        let scale = Scale(width: image.size.width, height: image.size.height)
        for y in 0..<image.size.height {
            if y % 16 == 0 { try checkCancellation() }
            for (index, bitmap) in [reference, image].enumerated() {
                let start = y * image.size.width
                unsafe bitmap.withWords { words in
                    let pixels = unsafe UnsafeBufferPointer(rebasing: words[start..<start + image.size.width])
                    unsafe scale.setLight(ofImage: index, to: UnsafeRawBufferPointer(pixels), over: background)
                }
            }
            scale.addRow()
        }
        scale.finish()
        return ScoreModel.score(for: scale.norms)
    }
}

import DarkroomCore

extension TransformerContract {
    /// Checks that the result for a reduced copy of an image, which has the pixels of `sufficientThumbnail`, has the size of
    /// that for the image itself.
    public func checkSufficientThumbnail() throws {
        guard let sufficient = transformer.sufficientThumbnail, sufficient.width > 0, sufficient.height > 0 else {
            return
        }
        let bounds = Thumbnail(width: sufficient.width * 2, height: sufficient.height * 2, mode: sufficient.mode)
        for size in [PixelSize(401, 299), PixelSize(150, 333)] {
            let whole = Bitmap.testCard(size.width, size.height)
            let copy = try whole.resized(to: bounds.scaledSize(for: size))
            guard let expected = try? transformer.transform(whole, for: TransformRequest(context: context)) else {
                continue
            }
            let actual = try transformer.transform(copy, for: TransformRequest(context: context, sourceSize: size))
            try subject.require(
                actual.size == expected.size,
                "the result for \(size) is \(expected.size), but \(actual.size) for a reduced copy of \(copy.size)")
        }
    }
}

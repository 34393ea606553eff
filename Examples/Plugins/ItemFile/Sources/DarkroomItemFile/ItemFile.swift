public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The structure of a file of items (ISO/IEC 23008-12), such as AVIF and HEIF, which is checked before a library opens it.
public struct ItemFile: Sendable {
    /// The size with the most pixels that the file declares for an image, a canvas, a tile, an alpha channel or a thumbnail;
    /// 0×0 if it declares none.
    public let largestImage: PixelSize

    /// The size with the most pixels of the canvas of a grid or an overlay; 0×0 if there is none.
    public let largestCanvas: PixelSize

    /// The size with the most pixels that the file declares for an image that is not made from others, such as a tile; 0×0 if
    /// it declares none.
    public let largestCodedImage: PixelSize

    /// The number of pixels that decoding one image takes at most: its own, those of its tiles, each as often as it is
    /// referenced, and those of its alpha channel.
    public let decodedPixelCount: Int

    /// The number of images, such as tiles and alpha channels, that decoding one image takes at most, not counting those that
    /// are made from others.
    public let codedImageCount: Int

    /// Whether the bytes of an item are compressed, such as those of XMP can be.
    public let hasCompressedItems: Bool

    /// Reads the boxes of `data`. Damage is left to the library to report, and so is a file that ends early.
    ///
    /// - Throws: An `ImageError` of kind `overLimit` if there are more boxes, items or extents than `limits.segmentCount`, and
    ///   of kind `corrupt` if the items together are much larger than the file, or an image consists of itself.
    public init(_ data: Data, limits: DecodeLimits) throws(ImageError) {
        let scan = try ItemScan(data, limits: limits)
        (largestImage, hasCompressedItems) = (scan.largestImage, scan.hasCompressedItems)
        (largestCanvas, largestCodedImage) = (scan.largestCanvas, scan.images.largestCodedImage)
        (decodedPixelCount, codedImageCount) = (scan.highestCost.pixelCount, scan.highestCost.codedImageCount)
    }

    /// Throws an error of kind `overLimit` if a canvas has more pixels than `limits.pixelCount`.
    public func checkCanvas(_ limits: DecodeLimits) throws(ImageError) {
        guard largestCanvas.pixelCount > 0 else { return }
        try limits.check(ImageInfo(format: .heif, storedSize: largestCanvas))
    }
}

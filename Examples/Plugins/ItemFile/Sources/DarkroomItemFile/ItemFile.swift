public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The structure of a file of items (ISO/IEC 23008-12), such as AVIF and HEIF, which is checked before a library opens it.
public struct ItemFile: Sendable {
    /// The size with the most pixels that the file declares for an image, a tile, an alpha channel or a thumbnail; 0×0 if it
    /// declares none.
    public let largestImage: PixelSize

    /// Whether the bytes of an item are compressed, such as those of XMP can be.
    public let hasCompressedItems: Bool

    /// Reads the boxes of `data`. Damage is left to the library to report, and so is a file that ends early.
    ///
    /// - Throws: An `ImageError` of kind `overLimit` if there are more boxes, items or extents than `limits.segmentCount`, and
    ///   of kind `corrupt` if the items together are much larger than the file.
    public init(_ data: Data, limits: DecodeLimits) throws(ImageError) {
        let scan = try ItemScan(data, limits: limits)
        (largestImage, hasCompressedItems) = (scan.largestImage, scan.hasCompressedItems)
    }
}

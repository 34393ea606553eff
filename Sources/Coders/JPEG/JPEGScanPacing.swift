/// Decides which scans of an image are worth a preview.
///
/// Each preview is a pass over all pixels. There are at most twelve: of each of the first nine scans, and of later ones
/// once half as many bytes again have arrived. Passes over many pixels are fewer, and wait for bytes in proportion.
struct JPEGScanPacing {
    private static let scanCount = 9, previewCount = 2...12
    private static let freePixelCount = 1 << 20, totalPixelCount = 96 << 20
    private static let pixelsPerByte = 32

    private let previewCount: Int
    private let byteCostOfPreview: Int
    private var count = 0
    private var shownByteCount = 0

    /// Creates the pacing of previews that cost a pass over `pixelCount` pixels.
    init(pixelCount: Int) {
        let affordable = Self.totalPixelCount / max(pixelCount, 1)
        previewCount = min(max(affordable, Self.previewCount.lowerBound), Self.previewCount.upperBound)
        byteCostOfPreview = max(0, pixelCount - Self.freePixelCount) / Self.pixelsPerByte
    }

    /// Returns whether to show a preview of the scans in the first `byteCount` bytes, which then counts as shown.
    mutating func take(byteCount: Int) -> Bool {
        let newByteCount = byteCount - shownByteCount
        if count > 0 {
            guard count < previewCount, newByteCount >= byteCostOfPreview,
                count < Self.scanCount || newByteCount >= shownByteCount / 2
            else { return false }
        }
        count += 1
        shownByteCount = byteCount
        return true
    }
}

import DarkroomCore
import DarkroomPNG

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An icon or a cursor: several sizes of one picture, each a PNG or a bitmap with a mask.
struct Icon: Sendable {
    /// The header in Darkroom's form: that of the largest image. Every icon has alpha.
    let info: ImageInfo

    // From the smallest to the largest.
    private let images: [IconImage]

    /// Reads the directory of `request.data`, and the headers of its images.
    init(_ request: InfoRequest) throws {
        let bytes = request.data.span
        guard let count = bytes.number(at: 4, byteCount: 2) else { throw ImageError.endOfIcon }
        guard count > 0 else { throw ImageError(.corrupt, .decode, "the icon contains no image") }
        try request.limits.check(segmentCount: count)
        var images: [IconImage] = []
        var failure: ImageError?
        for index in 0..<count {
            try request.checkCancellation()
            do {
                images.append(try IconImage(bytes, entry: 6 + 16 * index))
            } catch {
                // More bytes may help, unlike for damage.
                if failure?.kind != .incomplete { failure = error }
            }
        }
        if let failure, failure.kind == .incomplete || images.isEmpty { throw failure }
        self.images = images.sorted()
        guard let largest = self.images.last else { throw ImageError.endOfIcon }
        var info = ImageInfo(format: .ico, storedSize: largest.size)
        info.hasAlpha = true
        self.info = info
    }

    /// Returns the smallest image that is at least as large as `request.target`.
    ///
    /// Images of another aspect ratio than the largest are left out, because they show something else.
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let (stored, target) = (info.storedSize, request.target)
        try request.context.limits.check(info)
        let fitting = images.first { image in
            image.size.width >= target.width && image.size.height >= target.height
                && image.size.width.multipliedFullWidth(by: stored.height)
                    == stored.width.multipliedFullWidth(by: image.size.height)
        }
        // The one with the most colours of that size.
        let size = fitting?.size ?? stored
        guard let image = images.last(where: { $0.size == size }) else { throw ImageError.endOfIcon }
        request.reportMethod("the image of \(image.size)")
        return try image.bitmap(request)
    }
}

extension ImageError {
    /// The error of a file that is too short for its images.
    static let endOfIcon = ImageError(.incomplete, .decode, "the icon ends before its last image")
}

import Darkroom
import Synchronization

/// A rule for the format of a file that watches whether the image has transparent pixels.
final class AlphaWatch: Sendable {
    private let rule: EncodedFormat
    private let found = Mutex(false)

    /// Creates a rule for JPEG with the identifier of `rule`, which selects JPEG too.
    init(_ rule: EncodedFormat) { self.rule = rule }

    /// The rule.
    var format: EncodedFormat {
        EncodedFormat(identifier: rule.identifier) { [self] image in
            if image.bitmap.isTransparent { found.withLock { $0 = true } }
            return .jpeg
        }
    }

    /// Whether an image with transparent pixels was encoded.
    var isTransparent: Bool { found.withLock(\.self) }
}

extension Bitmap {
    /// Whether a pixel is not opaque.
    fileprivate var isTransparent: Bool {
        hasAlpha
            && withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] < 255 } }
    }
}

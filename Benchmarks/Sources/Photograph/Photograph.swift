package import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The image used by all measurements: a JPEG file, and encodings of it.
package struct Photograph: Sendable {
    /// The four coders.
    package static let coders = CoderRegistry([GIFCoder(), WebPCoder(), JPEGCoder(), PNGCoder()])

    /// The measured formats.
    package static let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp]

    private let jpeg: Data

    /// Reads the JPEG file that `DARKROOM_BENCHMARK_PHOTO` names, or else draws an image.
    package init() throws {
        if let path = ProcessInfo.processInfo.environment["DARKROOM_BENCHMARK_PHOTO"] {
            jpeg = try Data(contentsOf: URL(filePath: path))
        } else {
            jpeg = try Self.coders.encode(.drawn(PixelSize(4000, 3000)), as: .jpeg)
        }
    }

    /// Creates a drawn image with 800×600 pixels, for measurements in which the size does not matter.
    package static func small() throws -> Photograph {
        Photograph(jpeg: try coders.encode(.drawn(PixelSize(800, 600)), as: .jpeg))
    }

    private init(jpeg: Data) { self.jpeg = jpeg }

    /// Returns the image as a file of `format`. Encoding takes seconds.
    package func file(of format: ImageFormat) throws -> Data {
        guard format != .jpeg else { return jpeg }
        return try Self.coders.encode(try Self.coders.decode(jpeg), as: format)
    }
}

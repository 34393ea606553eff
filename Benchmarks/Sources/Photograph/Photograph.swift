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

/// The picture that everything is measured on: a JPEG file, and what our encoders make of it.
package struct Photograph: Sendable {
    /// The four coders.
    package static let coders = CoderRegistry([GIFCoder(), WebPCoder(), JPEGCoder(), PNGCoder()])

    /// The formats that are measured.
    package static let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp]

    private let jpeg: Data

    /// The file that `DARKROOM_BENCHMARK_PHOTO` names, which must be a JPEG, or else the drawn picture.
    package init() throws {
        if let path = ProcessInfo.processInfo.environment["DARKROOM_BENCHMARK_PHOTO"] {
            jpeg = try Data(contentsOf: URL(filePath: path))
        } else {
            jpeg = try Self.coders.encode(.drawn(PixelSize(4000, 3000)), as: .jpeg)
        }
    }

    /// The drawn picture with 800×600 pixels, for measurements where the size does not matter.
    package static func small() throws -> Photograph {
        Photograph(jpeg: try coders.encode(.drawn(PixelSize(800, 600)), as: .jpeg))
    }

    private init(jpeg: Data) { self.jpeg = jpeg }

    /// The picture as a file of `format`. Making it takes seconds.
    package func file(of format: ImageFormat) throws -> Data {
        guard format != .jpeg else { return jpeg }
        return try Self.coders.encode(try Self.coders.decode(jpeg), as: format)
    }
}

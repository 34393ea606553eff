import Darkroom
import Foundation

/// The contents of image files.
enum ImageFiles {
    private static let coders = CoderRegistry([GIFCoder(), JPEGCoder(), PNGCoder(), WebPCoder()])

    static func load(_ path: String) throws -> Image {
        try coders.decode(Data(contentsOf: URL(filePath: path)))
    }

    /// Returns the first frame.
    static func decode(_ path: String) throws -> Bitmap { try load(path).bitmap }
}

package import DarkroomCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension CoderRegistry {
    /// Performs the main task to measure: returns `file` as a JPEG thumbnail of 180×120 with quality 80.
    package func measuredThumbnail(of file: Data) throws -> Data {
        let context = ImageContext {
            $0.thumbnail = .fit(180, 120)
            $0.quality = 0.8
        }
        return try encode(try decode(file, context: context), as: .jpeg, context: context)
    }
}

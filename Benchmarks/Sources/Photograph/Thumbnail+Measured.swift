package import DarkroomCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension CoderRegistry {
    /// The main job, as it is measured: `file` becomes a JPEG of quality 80 that fits into 180×120.
    package func measuredThumbnail(of file: Data) throws -> Data {
        let context = ImageContext {
            $0.thumbnail = .fit(180, 120)
            $0.quality = 0.8
        }
        return try encode(try decode(file, context: context), as: .jpeg, context: context)
    }
}

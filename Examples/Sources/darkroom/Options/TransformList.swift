import ArgumentParser
import Console
import Darkroom
import InstalledCoders
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A list of transforms as written on the command line, such as `crop:0,0,50,50+flip:h`.
struct TransformList {
    let transformers: [any ImageTransformer]
    /// The paths of the images in the list.
    let imagePaths: [String]

    /// Parses the text, and loads the images whose paths it contains.
    init(_ text: String) throws {
        let paths = Mutex<[String]>([])
        do {
            transformers = try TransformNotation { path in
                paths.withLock { $0.append(path) }
                return try Self.image(at: path)
            }.transformers(for: text)
            imagePaths = paths.withLock(\.self)
        } catch {
            throw ValidationError(error.message)
        }
    }

    private static func image(at path: String) throws -> Bitmap {
        // A device or a pipe may have no end.
        guard !FileDescriptor.isSpecial(path),
            let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        else {
            throw ImageError(.refused, .load, "the image at \(path) cannot be read")
        }
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(InstalledCoders())
        }
        return try manager.coders.decode(data).bitmap
    }
}

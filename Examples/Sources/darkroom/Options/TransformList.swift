import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A list of transforms as written on the command line, such as `crop:0,0,50,50+flip:h`.
struct TransformList {
    let transformers: [any ImageTransformer]

    /// Parses the text, and loads the images whose paths it contains.
    init(_ text: String) throws {
        do {
            transformers = try TransformNotation(images: Self.image).transformers(for: text)
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
        return try ImageManager { $0.install(StandardPlugins()) }.coders.decode(data).bitmap
    }
}

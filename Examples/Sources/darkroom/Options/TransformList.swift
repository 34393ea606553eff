import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Transforms as the command line writes them, such as `crop:0,0,50,50+flip:h`.
struct TransformList {
    let transformers: [any ImageTransformer]

    /// Reads the text, and the pictures whose paths stand in it.
    init(_ text: String) throws {
        do {
            transformers = try TransformNotation(pictures: Self.picture).transformers(for: text)
        } catch {
            throw ValidationError(error.message)
        }
    }

    private static func picture(at path: String) throws -> Bitmap {
        // What is no file may have no end.
        guard !FileDescriptor.isSpecial(path),
            let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        else {
            throw ImageError(.network, .load, "there is no picture to be read at \(path)")
        }
        return try ImageManager { $0.install(StandardPlugins()) }.coders.decode(data).bitmap
    }
}

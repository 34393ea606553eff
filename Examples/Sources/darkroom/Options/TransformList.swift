import ArgumentParser
import Console
import Darkroom
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A list of transforms as written on the command line, such as `crop:0,0,50,50+flip:h`.
struct TransformList {
    private let text: String

    /// The paths of the images in the list.
    let imagePaths: [String]

    /// Parses the text. The images whose paths it contains must exist, but are not read.
    init(_ text: String) throws {
        self.text = text
        let placeholder = try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in }
        let paths = Mutex<[String]>([])
        do {
            _ = try TransformNotation { path in
                // A device or a pipe may have no end.
                guard FileIdentity(ofFileAt: path) != nil else {
                    throw ImageError(.refused, .load, "the image at \(path) cannot be read")
                }
                paths.withLock { $0.append(path) }
                return placeholder
            }.transformers(for: text)
            imagePaths = paths.withLock(\.self)
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// Returns the transformers. `manager` loads the images, within `limits` and without its caches.
    func transformers(
        imagesFrom manager: ImageManager, limits: DecodeLimits = .default
    ) async throws(ImageError) -> [any ImageTransformer] {
        var context = ImageContext()
        context.limits = limits
        context.cachePolicy = .none
        context.usesFirstFrameOnly = true
        var images: [String: Bitmap] = [:]
        for path in Set(imagePaths) { images[path] = try await Self.image(at: path, from: manager, context) }
        return try TransformNotation { [images] path in
            try images[path] ?? TransformNotation.noImages(path)
        }.transformers(for: text)
    }

    private static func image(
        at path: String, from manager: ImageManager, _ context: ImageContext
    ) async throws(ImageError) -> Bitmap {
        let url = URL(pathAsGiven: path, directoryHint: .notDirectory).absoluteURL
        do throws(ImageError) {
            return try await manager.load(url, context: context).image.bitmap
        } catch {
            // Its own message may not tell it from the source.
            throw ImageError(error.kind, error.stage, "the image at \(path): \(error.message)", underlying: error)
        }
    }
}

import DarkroomCore
import DarkroomFile
import DarkroomJPEG
import DarkroomPNG
import Foundation
import SmallExample

/// Defines a custom context value. It reaches a transformer and the cache key, so that no two values share an entry.
///
///     swift run --package-path Examples own-context-key photo.jpg
@main
enum OwnContextKey: SmallExample {
    static func run() async throws {
        guard let path = CommandLine.arguments.dropFirst().first else { return print("usage: own-context-key IMAGE") }
        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
        }
        for levels in [256, 4, 2] {
            let context = ImageContext {
                $0.levels = levels
                $0.transformers = [Posterize()]
            }
            let result = try await manager.load(URL(filePath: path), context: context)
            let size = result.image.size
            let colors = result.image.bitmap.colors(in: PixelRectangle(size)) ?? []
            print(
                "\(Set(colors).count) colours, key ends in \(result.key?.variant.joined(separator: "-") ?? "nothing")")
        }
    }
}

enum LevelsKey: ImageContextKey {
    static let defaultValue = 256
    static func effect(of value: Int) -> ContextEffect { .result(value == defaultValue ? nil : "Levels(\(value))") }
}

extension ImageContext {
    /// The number of values that each channel may have.
    var levels: Int {
        get { self[LevelsKey.self] }
        set { self[LevelsKey.self] = newValue }
    }
}

struct Posterize: ImageTransformer {
    let identifier = "Posterize()"

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let steps = max(2, min(request.context.levels, 256)) - 1
        return try Bitmap(bitmap.size, hasAlpha: bitmap.hasAlpha) { pixels in
            bitmap.withPixels { old in
                for index in old.indices { pixels[index] = UInt8((Int(old[index]) * steps + 127) / 255 * 255 / steps) }
            }
        }
    }
}

import DarkroomCore
import DarkroomTransformers

/// Returns suites of the resampler, and of transformers that only move pixels.
func transformingSuites() -> [Suite] {
    let transformers: [(String, any ImageTransformer)] = [
        ("Resize to a quarter", .resize(200, 150)),
        ("Resize to twice", .resize(1600, 1200)),
        ("Flip", .flip(horizontal: true)),
        ("Crop", .crop(x: 100, y: 100, width: 400, height: 300)),
    ]
    return transformers.map { name, transformer in
        Suite(name, setup: Image.small) { image, _ in
            try transformer.transform(image.bitmap, for: TransformRequest())
        }
    }
}

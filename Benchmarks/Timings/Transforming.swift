import DarkroomCore
import DarkroomTransformers

/// Registers the resampler, and transformers that only move pixels.
func registerTransformers() {
    let transformers: [(String, any ImageTransformer)] = [
        ("Resize to a quarter", .resize(200, 150)),
        ("Resize to twice", .resize(1600, 1200)),
        ("Flip", .flip(horizontal: true)),
        ("Crop", .crop(x: 100, y: 100, width: 400, height: 300)),
    ]
    for (name, transformer) in transformers {
        measure(name, setup: Image.small) { image, _ in
            try transformer.transform(image.bitmap, for: TransformRequest())
        }
    }
}

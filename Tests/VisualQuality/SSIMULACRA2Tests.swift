import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import DarkroomVisualQuality
import TestSupport
import Testing

struct SSIMULACRA2Tests {
    /// The scores of the published program, https://github.com/cloudinary/ssimulacra2 at 81feacf, for the pictures as PNG.
    private static let published: [(size: PixelSize, hasAlpha: Bool, scores: [GeneratedPicture: Double])] = [
        (
            PixelSize(192, 128), false,
            [
                .posterized: 85.28175726, .noisy: 84.83520110, .shifted: 33.29362311, .blocky: -42.16561747,
                .dark: 76.15088507,
            ]
        ),
        (
            PixelSize(131, 117), false,
            [
                .posterized: 83.10431234, .noisy: 84.29407684, .shifted: 35.55613923, .blocky: -38.11759265,
                .dark: 75.03114633,
            ]
        ),
        (
            PixelSize(160, 128), true,
            [
                .posterized: 87.85314900, .noisy: 88.07137783, .shifted: 44.13952120, .blocky: -24.47184540,
                .dark: 79.35939836,
            ]
        ),
    ]

    private static func score(of image: Bitmap, reference: Bitmap) throws -> Double {
        try SSIMULACRA2().score(of: image, reference: reference) {}
    }

    @Test(arguments: published.indices) func scoresAreThoseOfThePublishedProgram(_ index: Int) throws {
        let (size, hasAlpha, scores) = Self.published[index]
        let reference = GeneratedPicture.original.bitmap(size, hasAlpha: hasAlpha)
        for (picture, published) in scores {
            let score = try Self.score(of: picture.bitmap(size, hasAlpha: hasAlpha), reference: reference)
            #expect(abs(score - published) < 0.1, "\(picture) at \(size) has \(score) instead of \(published)")
        }
    }

    @Test(arguments: [
        PixelSize(1, 1), PixelSize(2, 1), PixelSize(1, 9), PixelSize(7, 3), PixelSize(8, 8), PixelSize(131, 5),
    ])
    func pictureOfAnySizeIsComparable(_ size: PixelSize) throws {
        let reference = Bitmap(size.width, size.height, hasAlpha: true) { x, y in
            Color(red: UInt8(x), green: UInt8(y * 3), blue: 90, alpha: UInt8(200 + x % 50))
        }
        let other = Bitmap(size.width, size.height) { x, y in Color(red: UInt8(x), green: 255, blue: 0) }
        #expect(try Self.score(of: reference, reference: reference) == 100)
        #expect(try Self.score(of: other, reference: reference) < 60)
    }

    @Test func higherQualityHasAHigherScore() throws {
        let (coders, picture) = (CoderRegistry([JPEGCoder()]), GeneratedPicture.dark.bitmap(PixelSize(150, 120)))
        let image = try #require(Image(frames: [Frame(picture, duration: .zero)]))
        let scores = try [0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1].map { quality in
            let data = try coders.encode(image, as: .jpeg, context: ImageContext { $0.quality = quality })
            return try Self.score(of: coders.decode(data).bitmap, reference: picture)
        }
        #expect(scores == scores.sorted() && Set(scores).count == scores.count)
    }

    /// Where a copy differs only in brightness, the background decides which change is seen.
    @Test func transparentPictureIsComparedOnDarkAndLight() throws {
        func veil(_ value: UInt8) -> Bitmap {
            Bitmap(40, 40, hasAlpha: true) { x, _ in
                Color(red: value, green: value, blue: value, alpha: UInt8(5 * x + 20))
            }
        }
        for value in [25, 230] as [UInt8] {
            let other: UInt8 = value < 128 ? value + 90 : value - 90
            #expect(try Self.score(of: veil(other), reference: veil(value)) < 70)
        }
        let hole = Bitmap(40, 40, hasAlpha: true) { x, _ in x < 20 ? .white : Color(red: 0, green: 0, blue: 0, alpha: 0)
        }
        let white = Bitmap(40, 40) { _, _ in .white }
        #expect(try Self.score(of: white, reference: hole) < 50, "white and a hole look alike only on white")
    }

    @Test func cancellationEndsTheComparison() throws {
        let (picture, calls) = (GeneratedPicture.original.bitmap(PixelSize(20, 100)), Recorder<Int>())
        #expect(throws: CancellationError.self) {
            try SSIMULACRA2().score(of: picture, reference: picture) {
                calls.note(1)
                if calls.values.count == 3 { throw CancellationError() }
            }
        }
        #expect(calls.values.count == 3)
    }

    @Test func memoryGrowsWithTheWidthOnly() {
        let metric = SSIMULACRA2()
        #expect(metric.byteCount(for: PixelSize(1000, 10_000)) == metric.byteCount(for: PixelSize(1000, 1)))
        #expect(metric.byteCount(for: PixelSize(10_000, 10_000)) < 16 << 20)
    }
}

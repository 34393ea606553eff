import DarkroomCore
import Testing

struct ThumbnailTests {
    @Test(arguments: [
        (PixelSize(120, 300), Thumbnail.fit(200, 200), PixelSize(80, 200)),
        (PixelSize(120, 300), .fit(600, 600), PixelSize(120, 300)),
        (PixelSize(120, 300), .stretch(200, 200), PixelSize(120, 200)),
        (PixelSize(1000, 661), .fit(100, 100), PixelSize(100, 67)),
        (PixelSize(0, 0), .fit(50, 50), PixelSize(0, 0)),
        (PixelSize(64, 64), .fit(0, 0), PixelSize(64, 64)),
        (PixelSize(1000, 10), .fit(50, 50), PixelSize(50, 1)),
        (PixelSize(1000, 700), .fit(100, 100), PixelSize(100, 70)),
        (PixelSize(4000, 3000), .fit(180, 120), PixelSize(160, 120)),
        (PixelSize(4000, 3000), .fit(180.5, 1000), PixelSize(181, 136)),
        (PixelSize(64, 64), .fit(.infinity, .nan), PixelSize(64, 64)),
    ])
    func sizeFollowsTheRule(picture: PixelSize, thumbnail: Thumbnail, size: PixelSize) {
        #expect(thumbnail.size(for: picture) == size)
    }

    /// The scaled image covers the bounds; what is delivered has their size, unless the image is smaller.
    @Test(arguments: [
        (PixelSize(4000, 3000), Thumbnail.cover(180, 180), PixelSize(240, 180), PixelSize(180, 180)),
        (PixelSize(3000, 4000), .cover(180, 120), PixelSize(180, 240), PixelSize(180, 120)),
        (PixelSize(1000, 661), .cover(100, 100), PixelSize(152, 100), PixelSize(100, 100)),
        (PixelSize(300, 200), .cover(30, 20), PixelSize(30, 20), PixelSize(30, 20)),
        (PixelSize(50, 200), .cover(100, 100), PixelSize(50, 200), PixelSize(50, 100)),
        (PixelSize(50, 60), .cover(100, 100), PixelSize(50, 60), PixelSize(50, 60)),
        (PixelSize(90, 90), .cover(30.5, 10), PixelSize(31, 31), PixelSize(31, 10)),
        (PixelSize(64, 64), .cover(0, 10), PixelSize(64, 64), PixelSize(64, 64)),
    ])
    func fillCoversItsBoundsAndCrops(picture: PixelSize, thumbnail: Thumbnail, scaled: PixelSize, size: PixelSize) {
        #expect(thumbnail.scaledSize(for: picture) == scaled)
        #expect(thumbnail.size(for: picture) == size)
    }

    @Test func onlyScalableImagesAreEnlarged() {
        #expect(Thumbnail.cover(200, 200).size(for: PixelSize(120, 300), mayEnlarge: true) == PixelSize(200, 200))

        #expect(Thumbnail.fit(600, 600).size(for: PixelSize(120, 300), mayEnlarge: true) == PixelSize(240, 600))
        #expect(Thumbnail.stretch(200, 200).size(for: PixelSize(120, 300), mayEnlarge: true) == PixelSize(200, 200))
        #expect(Thumbnail.fit(1e300, 1e300).size(for: PixelSize(120, 300)) == PixelSize(120, 300))
    }

    @Test(
        arguments: [
            (110 * 1.1, 121), (1e-7, 0), (-1e-7, 0), (-0.0, 0), (0.1234565, 0.123456), (1e20, 1e20),
        ] as [(Double, Double)])
    func sidesAreRoundedToThePrecisionOfTheKey(side: Double, rounded: Double) {
        #expect(Thumbnail.fit(side, 5) == Thumbnail.fit(rounded, 5))
        #expect(Thumbnail.fit(side, 5).description == Thumbnail.fit(rounded, 5).description)
    }

    @Test func descriptionIsTheKeyFragment() {
        #expect(Thumbnail.fit(180, 120).description == "Thumbnail({180.000000,120.000000},1)")
        #expect(Thumbnail.stretch(0.5, 1e20).description == "Thumbnail({0.500000,100000000000000000000.000000},0)")
        #expect(Thumbnail.cover(180, 120).description == "Thumbnail({180.000000,120.000000},cover)")
    }

    /// The right column is the output of C's `printf("%f")`.
    @Test(arguments: [
        (0.785398163397448, "0.785398"), (0.0000005, "0.000000"), (0.0000015, "0.000002"), (1.9999999, "2.000000"),
        (-1.5, "-1.500000"), (-0.0, "-0.000000"), (2.5e-7, "0.000000"), (1e22, "10000000000000000000000.000000"),
        (0.1 + 0.2, "0.300000"), (1.0000005, "1.000001"), (3.0000015, "3.000002"), (123456.7890125, "123456.789012"),
        (18_446_744_073_709_551_616, "18446744073709551616.000000"), (9_007_199_254_740_992, "9007199254740992.000000"),
    ])
    func sixDecimalsMatchC(value: Double, text: String) {
        #expect(value.sixDecimals == text)
    }
}

import DarkroomQuantizing
import DarkroomTestKit
import Foundation
import Testing

@Suite struct PaletteReductionTests {
    private static let counts = [2, 3, 4, 17, 255]

    @Test(arguments: counts, [false, true])
    func paletteHasAsManyColorsAsAskedFor(_ count: Int, _ hasAlpha: Bool) throws {
        let colors = try PaletteReduction.colors(for: Picture(hasAlpha: hasAlpha).histogram, count: count) {}
        #expect(colors.count == count)
        #expect(Set(colors).count == count)
        // What `tRNS` lists comes first.
        #expect(colors.map(\.isOpaque) == colors.map(\.isOpaque).sorted { !$0 && $1 })
        #expect(colors.contains(.transparent) == hasAlpha)
    }

    @Test(arguments: [1, 2, 7, 60], [2, 60])
    func fewColorsAreKept(_ colorCount: Int, _ count: Int) throws {
        guard colorCount <= count else { return }
        let wanted = (0..<colorCount).map { (index: Int) -> PackedColor in
            let (red, green, blue) = (UInt8(index * 4), UInt8(255 - index * 3), UInt8(index % 7 * 30))
            return PackedColor(red: red, green: green, blue: blue, alpha: index % 5 == 4 ? 128 : 255)
        }
        var histogram = ColorHistogram()
        for (index, color) in wanted.enumerated() { histogram.insert(Array(repeating: color, count: index + 1)) }
        #expect(try Set(PaletteReduction.colors(for: histogram, count: count) {}) == Set(wanted))
    }

    @Test func emptyPictureHasNoColors() throws {
        #expect(try PaletteReduction.colors(for: ColorHistogram(), count: 16) {}.isEmpty)
    }

    @Test func paletteIsTheSameEachTime() throws {
        let palettes = try (0..<2).map { _ in
            try PaletteReduction.colors(for: Picture(hasAlpha: true).histogram, count: 64) {}
        }
        #expect(palettes[0] == palettes[1])
    }

    @Test func runsOfARowCountLikePixels() throws {
        var (single, whole) = (ColorHistogram(), ColorHistogram())
        for row in Picture(hasAlpha: true).rows {
            whole.insert(row)
            for color in row { single.insert([color]) }
        }
        let palettes = try [single, whole].map { try PaletteReduction.colors(for: $0, count: 32) {} }
        #expect(palettes[0] == palettes[1])
    }

    /// The first number is the ratio of pngquant 2.17 without dithering, and the second one that with it, which ours exceeds.
    @Test(arguments: [
        (256, false, 30.72, 29.74), (64, false, 25.78, 24.51), (16, false, 21.45, 20.36), (256, true, 35.50, 34.75),
        (64, true, 29.90, 28.61), (16, true, 23.73, 23.11),
    ])
    func picturesAreNearerThanThoseOfPeers(_ count: Int, _ hasAlpha: Bool, _ plain: Double, _ dithered: Double) throws {
        let picture = Picture(hasAlpha: hasAlpha)
        let colors = try PaletteReduction.colors(for: picture.histogram, count: count) {}
        #expect(picture.decibels(picture.reduced(to: colors, dithering: 0)) > plain)
        #expect(picture.decibels(picture.reduced(to: colors, dithering: 1)) > dithered)
    }

    @Test func noiseOfAllColorsIsReduced() throws {
        var random = SeededGenerator(seed: 1)
        var histogram = ColorHistogram()
        let row = (0..<20_000).map { _ in PackedColor(bits: UInt32.random(in: 0...UInt32.max, using: &random)) }
        histogram.insert(row)
        #expect(try PaletteReduction.colors(for: histogram, count: 8) {}.count == 8)
    }

    @Test func cancellationStopsTheReduction() {
        #expect(throws: CancellationError.self) {
            try PaletteReduction.colors(for: Picture(hasAlpha: false).histogram, count: 16) {
                throw CancellationError()
            }
        }
    }
}

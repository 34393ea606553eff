import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import Foundation
import TestSupport
import Testing

struct ResizingTests {
    /// A straightforward reference in double precision: the image is scaled by `scale` and placed on the canvas by the
    /// gravity. Each pixel has the colour at the centre of the part that the image covers, and its alpha times that
    /// coverage.
    private func reference(_ bitmap: Bitmap, _ canvas: PixelSize, _ mode: Resizing.Mode, _ gravity: Gravity) -> Bitmap {
        let scales = [
            Double(canvas.width) / Double(bitmap.size.width), Double(canvas.height) / Double(bitmap.size.height),
        ]
        let scale = mode == .fit ? scales.min()! : scales.max()!
        let name = gravity.rawValue.lowercased()
        let (left, right) = (name.hasSuffix("left"), name.hasSuffix("right"))
        let (top, bottom) = (name.hasPrefix("top"), name.hasPrefix("bottom"))
        let across = Axis(bitmap.size.width, scale, canvas.width, left ? 0 : right ? 1 : 0.5)
        let down = Axis(bitmap.size.height, scale, canvas.height, top ? 0 : bottom ? 1 : 0.5)
        let columns = (0..<canvas.width).map(across.weights)
        let rows = (0..<canvas.height).map(down.weights)
        let sums = (0..<bitmap.size.height).map { sourceY in
            columns.map { weights in
                weights.reduce(SIMD4<Double>.zero) { $0 + $1.1 * bitmap.color(x: $1.0, y: sourceY)!.premultiplied }
            }
        }
        return Bitmap(canvas.width, canvas.height, hasAlpha: true) { x, y in
            let coverage = across.coverage(x) * down.coverage(y)
            guard coverage > 0 else { return .clear }
            let sum = rows[y].reduce(SIMD4<Double>.zero) { $0 + $1.1 * sums[$1.0][x] }
            return Color(premultiplied: sum, coverage: coverage)
        }
    }

    @Test(arguments: [
        (PixelSize(40, 30), PixelSize(20, 15), PixelSize(27, 20)),
        (PixelSize(30, 41), PixelSize(20, 28), PixelSize(15, 20)),
        (PixelSize(5, 3), PixelSize(20, 12), PixelSize(34, 20)),
        (PixelSize(300, 1), PixelSize(20, 1), PixelSize(6000, 20)),
    ])
    func openSideFollowsFromTheAspectRatio(source: PixelSize, wide: PixelSize, high: PixelSize) throws {
        let picture = Bitmap.noise(source.width, source.height)
        for (resizing, size) in [(Resizing(width: 20), wide), (Resizing(height: 20), high)] {
            let result = try picture.after(resizing)
            #expect(result.size == size && resizing.largestSize(for: source) == size)
            let both = Resizing(width: Double(size.width), height: Double(size.height))
            #expect(try result == picture.after(both))
        }
    }

    @Test(arguments: [0.0, -1, .nan, .infinity]) func openSideNeedsAPositiveOne(side: Double) {
        #expect(throws: ImageError.self) { try Bitmap.noise(4, 3).after(Resizing(width: side)) }
        #expect(throws: ImageError.self) { try Bitmap.noise(4, 3).after(Resizing(height: side)) }
    }

    @Test(arguments: Resizing.Mode.allCases, Gravity.allCases)
    func reducedCopyHasNearlyTheSameResult(mode: Resizing.Mode, gravity: Gravity) throws {
        let source = PixelSize(467, 311)
        let picture = Bitmap.testCard(source.width, source.height)
        for (width, height) in [(90.0, 60.0), (61, 80), (100, 41)] {
            let resizing = Resizing(width: width, height: height, mode: mode, gravity: gravity)
            let needed = try #require(resizing.sufficientThumbnail)
            let bounds = Thumbnail(width: needed.width * 2, height: needed.height * 2, mode: needed.mode)
            // Sides are rounded up, so that the copy is distorted a little.
            let scaled = bounds.size(for: source)
            let full = try picture.after(resizing)
            let reduced = try resizing.transform(
                picture.resized(to: mode == .cover ? bounds.scaledSize(for: source) : scaled),
                for: TransformRequest(sourceSize: source))
            #expect(reduced.size == full.size)
            #expect(reduced.decibels(to: full) >= 40, "\(width)×\(height): \(reduced.decibels(to: full))")
        }
    }

    @Test(arguments: Resizing.Mode.allCases, [9.0, 10])
    func linearLightAveragesLight(mode: Resizing.Mode, height: Double) throws {
        // At a height of 9, the edges of fit and cover lie between pixels.
        let board = Bitmap(40, 20) { x, y in (x + y).isMultiple(of: 2) ? .white : Color(red: 0, green: 0, blue: 0) }
        func grey(inLinearLight: Bool) throws -> Int {
            let resizing = Resizing(width: 20, height: height, mode: mode, inLinearLight: inLinearLight)
            return Int(try board.after(resizing).color(x: 10, y: 5)?.green ?? 0)
        }
        #expect(try (186...190).contains(grey(inLinearLight: true)))
        #expect(try (125...130).contains(grey(inLinearLight: false)))
    }

    @Test(arguments: [Resizing.Mode.fit, .cover], Gravity.allCases)
    func pixelsMatchTheReferenceImplementation(mode: Resizing.Mode, gravity: Gravity) throws {
        for size in [PixelSize(9, 8), PixelSize(21, 12), PixelSize(6, 15), PixelSize(13, 13), PixelSize(2, 3)] {
            for hasAlpha in [false, true] {
                let picture = Bitmap.noise(13, 10, hasAlpha: hasAlpha)
                let resizing = Resizing(
                    width: Double(size.width), height: Double(size.height), mode: mode, gravity: gravity)
                let resized = try picture.after(resizing)
                let isWithin = resized.isPremultipliedWithin(1.01, of: reference(picture, size, mode, gravity))
                #expect(isWithin, "\(size)")
            }
        }
    }

    @Test func fractionalPixelsCount() throws {
        let white = Bitmap(4, 2) { _, _ in .white }
        let half = Color(red: 255, green: 255, blue: 255, alpha: 128)
        let fitted = try white.after(.resize(4, 3, .fit))
        #expect((0..<3).map { fitted.color(x: 1, y: $0) } == [half, .white, half])
        // Of 3 columns the middle two are visible; the third pixel from the left is the middle of the row.
        let bars = Bitmap(3, 2) { x, _ in x == 1 ? .white : Color(red: 0, green: 0, blue: 0) }
        let covered = try bars.after(.resize(2, 2, .cover))
        #expect(covered.color(x: 0, y: 0) == covered.color(x: 1, y: 0))
        #expect(!covered.hasAlpha)
    }

    @Test func onlyTheVisiblePartIsResampled() throws {
        let bars = Bitmap(30, 10) { x, _ in (10..<20).contains(x) ? .white : .pureRed }
        #expect(try bars.after(.resize(5, 5, .cover)) == Bitmap(5, 5) { _, _ in .white })
        #expect(try bars.after(.resize(5, 5, .cover, gravity: .left)) == Bitmap(5, 5) { _, _ in .pureRed })
        #expect(try bars.after(.resize(5, 5, .cover, gravity: .bottomRight)) == Bitmap(5, 5) { _, _ in .pureRed })
    }

    @Test func gravityPositionsTheFittedImage() throws {
        let white = Bitmap(10, 4) { _, _ in .white }
        let low = try white.after(.resize(20, 20, .fit, gravity: .bottomLeft))
        #expect((low.color(x: 0, y: 11), low.color(x: 0, y: 12)) == (.clear, .white))
        let high = try white.after(.resize(20, 20, .fit, gravity: .topRight))
        #expect((high.color(x: 0, y: 7), high.color(x: 0, y: 8)) == (.white, .clear))
    }

    @Test(arguments: [Resizing.Mode.fit, .cover])
    func uniformAreasStayExact(mode: Resizing.Mode) throws {
        let color = Color(red: 200, green: 100, blue: 50)
        let picture = Bitmap(31, 17) { _, _ in color }
        for size in [PixelSize(10, 10), PixelSize(50, 3), PixelSize(7, 64)] {
            let resized = try picture.after(.resize(Double(size.width), Double(size.height), mode))
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let pixel = try #require(resized.color(x: x, y: y))
                    #expect(pixel.alpha == 0 || Color(red: pixel.red, green: pixel.green, blue: pixel.blue) == color)
                    #expect(mode == .fit || pixel == color)
                }
            }
        }
    }

    @Test func imageThinnerThanAPixelIsStillVisible() throws {
        let line = try Bitmap(200, 1) { _, _ in .white }.after(.resize(20, 9, .fit))
        #expect((0..<9).map { line.color(x: 10, y: $0)?.alpha } == [0, 0, 0, 0, 255, 0, 0, 0, 0])
    }

    @Test func tinyCanvasStaysEmpty() throws {
        let white = Bitmap(4, 4) { _, _ in .white }
        for mode in [Resizing.Mode.fit, .cover] {
            let empty = try white.after(.resize(0.009, 5, mode))
            #expect(empty == Bitmap(1, 5, hasAlpha: true) { _, _ in .clear })
        }
        #expect(try white.after(.resize(0.009, 5)) == Bitmap(1, 5) { _, _ in .white })
        #expect(try white.after(.resize(0.01, 5, .cover)) == Bitmap(1, 5) { _, _ in .white })
    }

    @Test func gravityIsInTheIdentifierUnlessCentered() {
        let resizing = Resizing(width: 10, height: 20.5, mode: .fit)
        #expect(resizing.identifier == "Resizing({10.000000,20.500000},1)")
        let corner = Resizing(width: 10, height: 20, mode: .cover, gravity: .topLeft)
        #expect(corner.identifier == "Resizing({10.000000,20.000000},2,topLeft)")
    }

    @Test(arguments: Resizing.Mode.allCases)
    func errorsNameTheSide(mode: Resizing.Mode) {
        expectUnsupported(.resize(.nan, 10, mode), saying: "the width to resize to is nan, but must be above 0")
        expectUnsupported(.resize(10, -1, mode), saying: "the height to resize to is -1.0")
        expectOverLimit(.resize(1e9, 1e9, mode))
    }
}

/// One axis of the reference.
private struct Axis {
    let source: Int
    let scale, start, end: Double
    let canvas: Int

    init(_ source: Int, _ scale: Double, _ canvas: Int, _ gravity: Double) {
        self.source = source
        self.scale = scale
        self.canvas = canvas
        start = (Double(canvas) - Double(source) * scale) * gravity
        end = start + Double(source) * scale
    }

    func coverage(_ pixel: Int) -> Double { max(0, min(Double(pixel) + 1, end) - max(Double(pixel), start)) }

    func weights(_ pixel: Int) -> [(Int, Double)] {
        let middle = ((min(Double(pixel) + 1, end) + max(Double(pixel), start)) / 2 - start) / scale
        let widening = max(1, 1 / scale)
        // Invisible pixels are not compared.
        let first = (max(0, start) - start) / scale
        let last = (min(Double(canvas), end) - start) / scale
        let raw = (0..<source).filter { Double($0) + 1 > first + 1e-6 && Double($0) < last - 1e-6 }.map {
            ($0, Self.lanczos((Double($0) + 0.5 - middle) / widening))
        }
        let sum = raw.reduce(0) { $0 + $1.1 }
        return raw.map { ($0.0, $0.1 / sum) }
    }

    private static func lanczos(_ distance: Double) -> Double {
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
        return distance.magnitude < 3 ? sinc(distance) * sinc(distance / 3) : 0
    }
}

@testable import DarkroomCore
import DarkroomTestKit
import Testing
import TestSupport

struct FrameCompositorTests {
    @Test(arguments: 0..<50)
    func framesMatchAReferenceCompositorInAnyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let animation = RandomAnimation(&random)
        let expected = animation.slowFrames()
        var decoder = try animation.compositor()
        for (index, frame) in expected.enumerated() {
            let shown = try #require(try decoder.nextFrame()).bitmap
            #expect(shown == frame, "frame \(index), \(animation.patches[index])")
        }
        #expect(try decoder.nextFrame() == nil)
        for _ in 0..<20 {
            let index = Int.random(in: expected.indices, using: &random)
            #expect(try decoder.seek(to: index))
            #expect(
                try decoder.nextFrame()?.bitmap == expected[index], "frame \(index) differs when decoded out of order")
        }
    }

    @Test(arguments: 0..<50)
    func referencedFramesAreNotOverwritten(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let animation = RandomAnimation(&random)
        var decoder = try animation.compositor()
        var kept: [(Int, Bitmap)] = []
        for index in animation.patches.indices {
            guard let frame = try decoder.nextFrame(), Bool.random(using: &random) else { continue }
            kept.append((index, frame.bitmap))
        }
        let expected = animation.slowFrames()
        for (index, bitmap) in kept { #expect(bitmap == expected[index], "frame \(index)") }
    }

    @Test(.bug(id: "18.2"), arguments: 0..<50)
    func decodedFirstFrameIsReusedWhileItIsInUse(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let animation = RandomAnimation(&random)
        let expected = animation.slowFrames()
        var decodedCount = 0
        let reusing = try animation.compositor { if $0 == 0 { decodedCount += 1 } }
            .reusing(firstFrame: WeakBitmap(expected[0]))
        var decoder = reusing
        for index in Array(expected.indices) + (0..<20).map({ _ in expected.indices.randomElement(using: &random)! }) {
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.bitmap == expected[index], "frame \(index)")
        }
        withExtendedLifetime(expected) { #expect(decodedCount == 0) }
    }

    @Test func firstFrameThatIsNoLongerInUseOrOfAnotherCanvasIsDecoded() throws {
        let canvas = PixelSize(2, 2)
        let patch = FramePatch(
            area: PixelRectangle(canvas), blending: .over, disposal: .keep, duration: .milliseconds(100))
        func bitmap(_ size: PixelSize, hasAlpha: Bool) throws -> Bitmap {
            try Bitmap(size, hasAlpha: hasAlpha) { for index in $0.indices { $0[index] = 255 } }
        }
        let others = [try bitmap(PixelSize(2, 3), hasAlpha: true), try bitmap(canvas, hasAlpha: false)]
        for first in others.map(WeakBitmap.init) + [WeakBitmap(try bitmap(canvas, hasAlpha: true))] {
            var decodedCount = 0
            var decoder = try FrameCompositor(canvas: canvas, hasAlpha: true, patches: [patch], limits: .default) { _ in
                decodedCount += 1
                return try bitmap(canvas, hasAlpha: true)
            }.reusing(firstFrame: first)
            #expect(try decoder.nextFrame()?.bitmap == bitmap(canvas, hasAlpha: true))
            #expect(decodedCount == 1)
        }
        withExtendedLifetime(others) {}
    }

    @Test(.bug(id: "18.2"), arguments: [FramePatch.Disposal.keep, .clear, .restore])
    func framesThatNobodyKeepsShareOneMemory(_ disposal: FramePatch.Disposal) throws {
        var decoder = try Self.smallFrames(disposal)
        var memories = Set<ObjectIdentifier>()
        while let frame = try decoder.nextFrame() { memories.insert(frame.bitmap.identity) }
        #expect(memories.count == 1)
    }

    @Test(.bug(id: "18.2"), arguments: [FramePatch.Disposal.keep, .clear, .restore])
    func framesOfWhichTheLastIsKeptShareTwoMemories(_ disposal: FramePatch.Disposal) throws {
        var decoder = try Self.smallFrames(disposal)
        var memories = Set<ObjectIdentifier>()
        var last: Frame?
        while let frame = try decoder.nextFrame() {
            memories.insert(frame.bitmap.identity)
            last = frame
        }
        #expect(memories.count == 2 && last != nil)
    }

    /// Creates a decoder of ten frames that change two pixels of 20 each.
    private static func smallFrames(_ disposal: FramePatch.Disposal) throws -> FrameCompositor {
        let patches = (0..<10).map { index in
            FramePatch(
                area: PixelRectangle(x: index % 4, y: index % 3, width: 2, height: 1), blending: .over,
                disposal: disposal, duration: .milliseconds(100))
        }
        return try FrameCompositor(canvas: PixelSize(5, 4), hasAlpha: true, patches: patches, limits: .default) { _ in
            try Bitmap(PixelSize(2, 1), hasAlpha: true) { $0[3] = 255 }
        }
    }

    @Test func opaqueFullFrameNeedsNoEarlierFrame() throws {
        var decoded: [Int] = []
        let whole = FramePatch(
            area: PixelRectangle(PixelSize(2, 2)), blending: .replace, disposal: .keep, duration: .milliseconds(100))
        var decoder = try FrameCompositor(
            canvas: PixelSize(2, 2), hasAlpha: true, patches: Array(repeating: whole, count: 5), limits: .default
        ) { index in
            decoded.append(index)
            return try Bitmap(PixelSize(2, 2), hasAlpha: true) { _ in }
        }
        _ = try decoder.seek(to: 3)
        _ = try decoder.nextFrame()
        #expect(decoded == [3])
    }

    @Test(arguments: [FramePatch.Blending.over, .replace], [true, false])
    func undecodableFrameShowsTheOneBefore(_ blending: FramePatch.Blending, _ hasAlpha: Bool) throws {
        let size = PixelSize(1, 1)
        let patch = FramePatch(
            area: PixelRectangle(size), blending: blending, disposal: .keep, hasAlpha: hasAlpha,
            duration: .milliseconds(100))
        var decoder = try FrameCompositor(
            canvas: size, hasAlpha: hasAlpha, patches: [patch, patch, patch], limits: .default
        ) { index in
            guard index != 1 else { throw ImageError(.corrupt, .decode, "broken") }
            return try Bitmap(size, hasAlpha: hasAlpha) { pixels in
                (pixels[0], pixels[3]) = (9, hasAlpha ? UInt8(index + 1) : 255)
            }
        }
        let first = try #require(try decoder.nextFrame())
        let second = try #require(try decoder.nextFrame())
        #expect(second.bitmap == first.bitmap)
        #expect(first.damage == nil && second.damage == "frame 2 is not shown: broken")
        let last = try #require(try decoder.nextFrame())
        #expect(last.damage == nil && last.bitmap.bytes[0] == 9)
        for (index, frame) in [(2, last), (1, second), (2, last)] {
            _ = try decoder.seek(to: index)
            let again = try decoder.nextFrame()
            #expect(again?.bitmap == frame.bitmap && again?.damage == frame.damage)
        }
        #expect(try decoder.nextFrame() == nil)
    }

    @Test(arguments: [ImageError.Kind.corrupt, .incomplete, .overLimit, .cancelled, .internal])
    func errorsAboutOtherThingsThanTheFrameAreThrown(_ kind: ImageError.Kind) throws {
        let size = PixelSize(1, 1)
        let patch = FramePatch(
            area: PixelRectangle(size), blending: .over, disposal: .keep, duration: .milliseconds(100))
        for broken in 0..<2 {
            var decoder = try FrameCompositor(
                canvas: size, hasAlpha: true, patches: [patch, patch], limits: .default
            ) { index in
                guard index != broken else { throw ImageError(kind, .decode, "broken") }
                return try Bitmap(size, hasAlpha: true) { _ in }
            }
            if broken == 1 { _ = try decoder.nextFrame() }
            let isTolerated = broken == 1 && [.corrupt, .incomplete].contains(kind)
            if isTolerated {
                #expect(try decoder.nextFrame()?.damage != nil)
            } else {
                let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
                #expect(error?.kind == kind)
            }
        }
    }

    /// The damaged frame was expected to hide that the area of the one before was cleared.
    @Test func undecodableFrameAfterAClearedOneIsTransparent() throws {
        let size = PixelSize(2, 1)
        let left = PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        for area in [PixelRectangle(size), left] {
            let patches = [
                FramePatch(
                    area: PixelRectangle(size), blending: .over, disposal: .keep, hasAlpha: false,
                    duration: .milliseconds(100)),
                FramePatch(
                    area: area, blending: .over, disposal: .clear, hasAlpha: false, duration: .milliseconds(100)),
                FramePatch(
                    area: PixelRectangle(size), blending: .over, disposal: .keep, hasAlpha: false,
                    duration: .milliseconds(100)),
            ]
            var decoder = try FrameCompositor(
                canvas: size, hasAlpha: false, patches: patches, limits: .default
            ) { index in
                guard index < 2 else { throw ImageError(.corrupt, .decode, "broken") }
                return Bitmap(patches[index].area.width, 1) { _, _ in .white }
            }
            for _ in 0..<2 {
                _ = try decoder.nextFrame()
                #expect(try decoder.nextFrame()?.bitmap.color(x: 1, y: 0) == .white)
                let frame = try #require(try decoder.nextFrame()).bitmap
                #expect(frame.hasAlpha && frame.color(x: 0, y: 0)?.alpha == 0)
                #expect(frame.color(x: 1, y: 0)?.alpha == (area == left ? 255 : 0))
                _ = try decoder.seek(to: 0)
            }
        }
    }

    @Test(arguments: [
        PixelRectangle(x: 1, y: 0, width: 2, height: 1), PixelRectangle(x: -1, y: 0, width: 1, height: 1),
        PixelRectangle(x: 0, y: .max, width: 1, height: 1), PixelRectangle(x: 0, y: 1, width: 1, height: .max),
    ])
    func patchBeyondTheCanvasIsRefused(area: PixelRectangle) {
        let patch = FramePatch(area: area, blending: .over, disposal: .keep, duration: .milliseconds(100))
        let error = #expect(throws: ImageError.self) {
            try FrameCompositor(canvas: PixelSize(2, 2), hasAlpha: true, patches: [patch], limits: .default) { _ in
                try Bitmap(area.size, hasAlpha: true) { _ in }
            }
        }
        #expect(error?.kind == .corrupt)
    }

    @Test func patchOfAnotherSizeIsAnError() throws {
        let size = PixelSize(2, 2)
        let patch = FramePatch(
            area: PixelRectangle(size), blending: .over, disposal: .keep, duration: .milliseconds(100))
        var decoder = try FrameCompositor(canvas: size, hasAlpha: true, patches: [patch], limits: .default) { _ in
            try Bitmap(PixelSize(3, 3), hasAlpha: true) { _ in }
        }
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .internal)
    }

    @Test func canvasBeyondTheLimitIsRefused() throws {
        var limits = DecodeLimits()
        limits.decodedByteCount = 3 * 4 * 100 - 1
        let error = #expect(throws: ImageError.self) {
            try FrameCompositor(canvas: PixelSize(10, 10), hasAlpha: true, patches: [], limits: limits) { _ in
                try Bitmap(PixelSize(1, 1), hasAlpha: true) { _ in }
            }
        }
        #expect(error?.kind == .overLimit)
    }
}

/// Patches of every blending and disposal, some empty and some as large as the canvas.
private struct RandomAnimation {
    let canvas = PixelSize(5, 4)
    let patches: [FramePatch]
    let pixels: [[[UInt8]]]

    init(_ random: inout SeededGenerator) {
        let count = Int.random(in: 1...9, using: &random)
        var patches: [FramePatch] = []
        var pixels: [[[UInt8]]] = []
        for _ in 0..<count {
            let x = Int.random(in: 0...3, using: &random)
            let y = Int.random(in: 0...3, using: &random)
            let isWhole = Int.random(in: 0..<3, using: &random) == 0
            let area =
                isWhole
                ? PixelRectangle(canvas)
                : PixelRectangle(
                    x: x, y: y, width: Int.random(in: 0...(canvas.width - x), using: &random),
                    height: Int.random(in: 0...(canvas.height - y), using: &random))
            let hasAlpha = Bool.random(using: &random)
            patches.append(
                FramePatch(
                    area: area, blending: Bool.random(using: &random) ? .over : .replace,
                    disposal: [.keep, .clear, .restore].randomElement(using: &random)!, hasAlpha: hasAlpha,
                    duration: .milliseconds(100)))
            pixels.append(
                (0..<(max(area.width, 0) * max(area.height, 0))).map { _ in
                    let alpha =
                        hasAlpha
                        ? [0, 255, UInt8.random(in: 1...254, using: &random)].randomElement(using: &random)! : 255
                    let color = (0..<3).map { _ in alpha == 0 ? 0 : UInt8.random(in: 0...255, using: &random) }
                    return color + [alpha]
                })
        }
        self.patches = patches
        self.pixels = pixels
    }

    func compositor(willDecode: @escaping (Int) -> Void = { _ in }) throws -> FrameCompositor {
        try FrameCompositor(canvas: canvas, hasAlpha: true, patches: patches, limits: .default) { index in
            willDecode(index)
            return try Bitmap(patches[index].area.size, hasAlpha: patches[index].hasAlpha) { target in
                for (offset, byte) in pixels[index].joined().enumerated() { target[offset] = byte }
            }
        }
    }

    /// Returns all frames, composed pixel by pixel in floating point, each from the start.
    func slowFrames() -> [Bitmap] {
        var screen = Array(repeating: Array(repeating: [UInt8](repeating: 0, count: 4), count: 5), count: 4)
        return patches.indices.map { index in
            let patch = patches[index]
            let before = screen
            for row in 0..<patch.area.height {
                for column in 0..<patch.area.width {
                    let pixel = pixels[index][row * patch.area.width + column]
                    let (y, x) = (patch.area.y + row, patch.area.x + column)
                    screen[y][x] = patch.blending == .replace ? pixel : Self.over(pixel, screen[y][x])
                }
            }
            let shown = screen
            switch patch.disposal {
            case .keep: break
            case .restore: screen = before
            case .clear:
                for y in patch.area.y..<(patch.area.y + patch.area.height) {
                    for x in patch.area.x..<(patch.area.x + patch.area.width) { screen[y][x] = [0, 0, 0, 0] }
                }
            }
            return try! Bitmap(canvas, hasAlpha: true) { target in
                for (offset, byte) in shown.joined().joined().enumerated() { target[offset] = byte }
            }
        }
    }

    private static func over(_ top: [UInt8], _ bottom: [UInt8]) -> [UInt8] {
        let (alpha, alphaBelow) = (Double(top[3]) / 255, Double(bottom[3]) / 255)
        let sum = alpha + alphaBelow * (1 - alpha)
        guard sum > 0 else { return [0, 0, 0, 0] }
        let color = (0..<3).map { channel in
            (Double(top[channel]) * alpha + Double(bottom[channel]) * alphaBelow * (1 - alpha)) / sum
        }
        return (color + [sum * 255]).map { UInt8(($0 + 1e-9).rounded()) }
    }
}

import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

/// Compares all animated fixtures, decoded with the four coders, with a slow reference compositor.
@Suite struct AnimationFixtureTests {
    private let registry = CoderRegistry([JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()])

    @Test(arguments: AnimatedFixture.all)
    func headerReportsCanvasFramesLoopsAndDurations(_ fixture: AnimatedFixture) throws {
        let (info, parts) = (try registry.info(of: fixture.data), fixture.parts)
        #expect(info.storedSize == PixelSize(parts.width, parts.height))
        #expect(info.frameCount == parts.patches.count)
        // A single frame is a still.
        let isAnimated = parts.patches.count > 1
        #expect(info.loopCount == (isAnimated ? parts.loopCount : 0))
        #expect(info.frameDurations.count == (isAnimated ? parts.patches.count : 0))
        for (duration, patch) in zip(info.frameDurations, parts.patches) {
            #expect(abs((duration - patch.duration) / .microseconds(1)) < 1)
        }
    }

    @Test(arguments: AnimatedFixture.all)
    func everyFrameEqualsThatOfTheReferenceCompositor(_ fixture: AnimatedFixture) throws {
        let image = try registry.decode(fixture.data)
        let parts = fixture.parts
        let expected = ReferenceCompositor(parts).frames()
        let frames = try image.animation?.frames() ?? [Frame(image.bitmap, duration: parts.patches[0].duration)]
        try #require(frames.count == expected.count)
        for (index, frame) in frames.enumerated() {
            #expect(frame.bitmap.mismatch(with: expected[index], fixture) == nil, "frame \(index)")
            #expect(abs((frame.duration - parts.patches[index].duration) / .microseconds(1)) < 1)
        }
        #expect(image.animation?.loopCount == (parts.patches.count > 1 ? parts.loopCount : nil))
    }

    @Test(arguments: AnimatedFixture.all)
    func randomAccessReturnsTheSameFramesAsPlayback(_ fixture: AnimatedFixture) throws {
        guard let animation = try registry.decode(fixture.data).animation else { return }
        let expected = ReferenceCompositor(fixture.parts).frames()
        try #require(animation.frameCount == expected.count)
        var decoder = try animation.makeFrameDecoder()
        var random = SeededGenerator(seed: 11)
        for _ in 0..<(4 * expected.count) {
            let index = Int.random(in: expected.indices, using: &random)
            #expect(try decoder.seek(to: index))
            // Continues playing from there in some cases.
            for shown in index..<min(index + Int.random(in: 1...3, using: &random), expected.count) {
                let frame = try #require(try decoder.nextFrame())
                #expect(frame.bitmap.mismatch(with: expected[shown], fixture) == nil, "frame \(shown) after \(index)")
            }
        }
    }

    @Test(arguments: AnimatedFixture.all)
    func firstFrameOnlyIsAStillOfFrameZero(_ fixture: AnimatedFixture) throws {
        let expected = ReferenceCompositor(fixture.parts).frames()[0]
        let image = try registry.decode(fixture.data, context: ImageContext { $0.usesFirstFrameOnly = true })
        #expect(image.animation == nil)
        #expect(image.info.frameCount == 1 && image.info.loopCount == 0 && image.info.frameDurations.isEmpty)
        #expect(image.bitmap.mismatch(with: expected, fixture) == nil)
    }

    @Test(arguments: AnimatedFixture.all)
    func thumbnailsAreResizedAfterComposingTheCanvas(_ fixture: AnimatedFixture) throws {
        let parts = fixture.parts
        let image = try registry.decode(fixture.data, context: ImageContext { $0.thumbnail = .fit(7, 5) })
        let frames = try image.animation?.frames().map(\.bitmap) ?? [image.bitmap]
        let expected = ReferenceCompositor(parts).frames()
        try #require(frames.count == expected.count)
        for (index, frame) in frames.enumerated() {
            let whole = try Bitmap(PixelSize(parts.width, parts.height), hasAlpha: frame.hasAlpha) { pixels in
                for place in pixels.indices { pixels[place] = expected[index][place] }
            }
            let sized = try whole.resized(to: Thumbnail.fit(7, 5).size(for: whole.size))
            #expect(frame.mismatch(with: sized.bytes, fixture) == nil, "frame \(index)")
        }
        #expect(image.bitmap == frames[0])
    }

    @Test(arguments: AnimatedFixture.all)
    func decodingByteByByteMatchesThePlainDecode(_ fixture: AnimatedFixture) throws {
        let data = fixture.data
        let coder = try #require(try registry.coder(for: data) as? any ProgressiveImageCoder)
        let info = try coder.info(of: data)
        let request = DecodeRequest(data: data, info: info)
        var preview = try coder.makePreviewDecoder(request)
        for byte in data {
            guard let bitmap = try preview.append(Data([byte])) else { continue }
            try #require(bitmap.size == info.storedSize)
        }
        #expect(preview.frameDurations == info.frameDurations)
        #expect(try preview.finish() == coder.decode(request))
    }
}

extension Bitmap {
    /// Returns a description of the first pixel that differs, or `nil` if there is none.
    fileprivate func mismatch(with expected: [UInt8], _ fixture: AnimatedFixture) -> String? {
        let shown = bytes
        guard shown.count == expected.count else { return "\(size) does not have \(expected.count / 4) pixels" }
        for start in stride(from: 0, to: shown.count, by: 4) {
            let (left, right) = (shown[start..<(start + 4)], expected[start..<(start + 4)])
            if zip(left, right).contains(where: { abs(Int($0) - Int($1)) > fixture.tolerance }) {
                let (x, y) = (start / 4 % size.width, start / 4 / size.width)
                return "(\(x), \(y)) is \(Array(left)), not \(Array(right))"
            }
        }
        return nil
    }
}

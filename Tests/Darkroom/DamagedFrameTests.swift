import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Animations with a frame that is damaged, but not the first one.
struct DamagedFrameTests {
    private static let coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
    private static let formats: [ImageFormat] = [.png, .gif, .webp]
    private static let frameCount = 4

    /// Encodes frames in each of which all pixels change. The last pixels of the first one are transparent, or none are.
    private static func animation(_ format: ImageFormat, hasAlpha: Bool) throws -> Data {
        let frames = (0..<frameCount).map { number in
            let bitmap = Bitmap(24, 18, hasAlpha: hasAlpha) { x, y in
                guard !hasAlpha || y < 16 else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
                return Color(
                    red: UInt8(x / 4 * 40 + number), green: UInt8(y / 4 * 50),
                    blue: UInt8((x * y + 60 * number) % 4 * 60))
            }
            return Frame(bitmap, duration: .milliseconds(100))
        }
        let context = ImageContext { $0.writesLosslessWebP = true }
        return try coders.encode(try #require(Image(frames: frames)), as: format, context: context)
    }

    /// Returns the range of the compressed pixels of frame `index`, not of the first one.
    private static func pixels(of index: Int, in data: Data, _ format: ImageFormat) throws -> Range<Int> {
        func number(_ offset: Int, _ places: [Int]) -> Int { places.reduce(0) { $0 << 8 | Int(data[offset + $1]) } }
        switch format {
        case .png:
            let name = data.ranges(of: Data("fdAT".utf8))[index - 1]
            return (name.upperBound + 4)..<(name.upperBound + number(name.lowerBound - 4, [0, 1, 2, 3]))
        case .webp:
            let name = data.ranges(of: Data("VP8L".utf8))[index]
            return (name.upperBound + 9)..<(name.upperBound + 4 + number(name.upperBound, [3, 2, 1, 0]))
        default:
            let control = data.ranges(of: Data([0x21, 0xF9, 4]))[index].lowerBound
            let flags = Int(data[control + 17])
            let start = control + 18 + (flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)) + 2
            return start..<(start + Int(data[start - 1]))
        }
    }

    /// Returns an animation of `format` in which the pixels of frame `index` are replaced from an eighth of their bytes on.
    private static func damaged(_ format: ImageFormat, _ index: Int, hasAlpha: Bool) throws -> Data {
        var data = try animation(format, hasAlpha: hasAlpha)
        let pixels = try pixels(of: index, in: data, format)
        for place in pixels.dropFirst(pixels.count / 8) { data[place] = 0xFF }
        return data
    }

    @Test(arguments: formats, 1..<frameCount)
    func damagedFrameIsNotedAndShowsTheOneBefore(_ format: ImageFormat, _ index: Int) throws {
        for hasAlpha in [true, false] {
            let whole = try Self.frames(of: Self.animation(format, hasAlpha: hasAlpha))
            #expect(whole.allSatisfy { $0.damage == nil })
            let data = try Self.damaged(format, index, hasAlpha: hasAlpha)
            let image = try Self.coders.decode(data)
            #expect(image.info.frameCount == Self.frameCount)
            let animation = try #require(image.animation)
            let frames = try animation.frames()
            #expect(frames.indices.filter { frames[$0].damage != nil } == [index])
            #expect(frames[index].damage?.hasPrefix("frame \(index + 1) ") == true)
            #expect(frames[..<index].map(\.bitmap) == whole[..<index].map(\.bitmap))
            // Rows of a GIF before the damage are shown.
            if format != .gif { #expect(frames[index].bitmap == frames[index - 1].bitmap) }
            #expect(frames[index].bitmap.color(x: 23, y: 15) == frames[index - 1].bitmap.color(x: 23, y: 15))
            var decoder = try animation.makeFrameDecoder()
            for place in [3, 1, 0, 2, 2, 3, 1] {
                #expect(try decoder.seek(to: place))
                let frame = try decoder.nextFrame()
                #expect(frame?.bitmap == frames[place].bitmap && frame?.damage == frames[place].damage)
            }
        }
    }

    @Test(arguments: formats, formats)
    func animationWithADamagedFrameIsEncoded(_ format: ImageFormat, _ other: ImageFormat) throws {
        for index in 1..<Self.frameCount {
            let image = try Self.coders.decode(Self.damaged(format, index, hasAlpha: false))
            let context = ImageContext { $0.writesLosslessWebP = true }
            let encoded = try Self.frames(of: Self.coders.encode(image, as: other, context: context))
            #expect(encoded.count == Self.frameCount && encoded.allSatisfy { $0.damage == nil })
            let frames = try #require(image.animation).frames()
            if other != .gif { #expect(encoded.map(\.bitmap.bytes) == frames.map(\.bitmap.bytes)) }
        }
    }

    @Test(arguments: formats)
    func damageOfPreloadedFramesIsNotedForTheImage(_ format: ImageFormat) async throws {
        let manager = try Self.manager(Self.damaged(format, 2, hasAlpha: false))
        let image = try await manager.load(Self.url, context: ImageContext { $0.preloadsFrames = true }).image
        #expect(image.metadata.isIncomplete && image.metadata.notes.count == 1)
        let frames = try #require(image.animation).frames()
        #expect(frames.compactMap(\.damage) == image.metadata.notes)
    }

    /// All frames are encoded several times to find the quality.
    @Test(arguments: formats)
    func damageIsNotedForAFileThatIsEncoded(_ format: ImageFormat) async throws {
        let manager = try Self.manager(Self.damaged(format, 2, hasAlpha: false))
        let context = ImageContext { ($0.thumbnail, $0.encodedByteLimit) = (Thumbnail(width: 12, height: 12), 500) }
        let made = try await manager.encoded(Self.url, context: context, as: .webp)
        #expect(!made.isCached && made.file.frameCount == Self.frameCount)
        let notes = made.file.notes.filter { $0.hasPrefix("frame ") }
        #expect(notes.count == 1 && notes.allSatisfy { $0.hasPrefix("frame 3 ") })
        let found = try await manager.encoded(Self.url, context: context, as: .webp)
        #expect(found.isCached && found.file.notes == made.file.notes)
    }

    @Test func damageOfAtMostEightFramesIsNotedForAFile() async throws {
        let url = URL(string: "http://example.com/many")!
        let frames = (0..<20).map { number in
            let bitmap = Bitmap(4, 4) { x, y in
                let value = UInt8(16 * x + y + number)
                return Color(red: value, green: value, blue: value)
            }
            var frame = Frame(bitmap, duration: .milliseconds(100))
            frame.damage = number == 0 ? nil : "frame \(number + 1) is damaged"
            return frame
        }
        let image = try #require(Image(frames: frames))
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader { _ in LoadResponse(.image(image)) })
        }
        let notes = try await manager.encoded(url, as: .gif).file.notes
        #expect(notes == (2...9).map { "frame \($0) is damaged" })
    }

    @Test(arguments: formats)
    func playerShowsTheDamage(_ format: ImageFormat) async throws {
        let image = try Self.coders.decode(Self.damaged(format, 1, hasAlpha: false))
        let player = try #require(AnimationPlayer(image))
        try await player.seek(to: 1)
        #expect(player.currentFrame?.damage?.hasPrefix("frame 2 ") == true)
    }

    private static let url = URL(string: "http://example.com/damaged")!

    private static func manager(_ data: Data) throws -> ImageManager {
        try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader { _ in LoadResponse(.data(data)) })
            $0.dataCache = FakeDataCache()
        }
    }

    private static func frames(of data: Data) throws -> [Frame] {
        try #require(try coders.decode(data).animation).frames()
    }
}

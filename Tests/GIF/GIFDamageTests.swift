import DarkroomCore
import DarkroomGIF
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Damage that browsers tolerate.
@Suite struct GIFDamageTests {
    private let registry = CoderRegistry([GIFCoder()])
    private let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    private static let colors = [
        Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 255, blue: 0), Color(red: 0, green: 0, blue: 255),
        Color(red: 255, green: 255, blue: 0),
    ]
    private static let square = PixelRectangle(x: 0, y: 0, width: 4, height: 4)

    private static func builder(_ size: PixelSize = square.size) -> GIFBuilder {
        GIFBuilder(palette: colors, size: size)
    }

    /// Clear codes and the indices of `count` pixels: 0, 1, 2, 3, 0 and so on.
    private static func codes(_ count: Int) -> [Int] { (0..<count).flatMap { [4, $0 % 4] } }

    /// The first `count` of those pixels, and transparent ones.
    private func pixels(_ count: Int, of total: Int = 16) -> [Color] {
        (0..<total).map { $0 < count ? Self.colors[$0 % 4] : clear }
    }

    private func expectPart(_ image: Image, _ count: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(image.bitmap.colors == pixels(count), sourceLocation: location)
        #expect(image.metadata.isIncomplete == (count < 16), sourceLocation: location)
        if count < 16 {
            #expect(
                image.metadata.notes == ["the first frame of the GIF has only \(count) of 16 pixels"],
                sourceLocation: location)
        }
    }

    /// The ways in which the codes of a frame can break off.
    enum End: CaseIterable {
        case lastBlock, endCode, endCodeOnly, invalidCode, noTerminator, noTrailer, unknownBlock

        func data(_ codes: [Int], before rest: [UInt8] = []) -> Data {
            let more = self == .endCode || self == .endCodeOnly ? [5] : self == .invalidCode ? [4, 7, 7] : []
            let frame = builder().frame(square, blocks: GIFBuilder.packed(codes + more))
            let file = self == .unknownBlock ? frame.adding([0x77, 1, 2]).data : frame.data
            return switch self {
            case .noTerminator: file.dropLast(2)
            case .noTrailer, .endCodeOnly: file.dropLast(1)
            default: file
            }
        }
    }

    @Test(arguments: End.allCases, 1...16)
    func stillShowsThePixelsSoFar(_ end: End, _ count: Int) throws {
        let image = try registry.decode(end.data(Self.codes(count)))
        #expect(image.bitmap.colors == pixels(count))
        #expect(image.metadata.isIncomplete == (count < 16))
        #expect(
            image.metadata.notes.contains("the first frame of the GIF has only \(count) of 16 pixels") == (count < 16))
        #expect(image.bitmap.hasAlpha == (count < 16))
        let thumbnail = try registry.decode(
            end.data(Self.codes(count)), context: ImageContext { $0.thumbnail = .fit(2, 2) })
        #expect(thumbnail.size == PixelSize(2, 2) && thumbnail.metadata.notes == image.metadata.notes)
    }

    @Test(arguments: [0, 3, 4, 7, 15])
    func markAtTheEndMakesNoDifferenceToMissingPixels(_ count: Int) throws {
        let bytes = Array(GIFBuilder.packed(Self.codes(count)).prefix(200))
        let marked = Self.builder().frame(Self.square, blocks: bytes).data
        for data in [marked, marked.dropLast(), marked.dropLast(2)] {
            // Without a byte of data, the frame is a spacer.
            expectPart(try registry.decode(data), count)
        }
    }

    @Test func framePreviewIsThatOfThePlainDecode() throws {
        for end in End.allCases {
            for count in [1, 9, 16] {
                let data = end.data(Self.codes(count))
                let info = try GIFCoder().info(of: data)
                let request = DecodeRequest(data: data, info: info)
                var decoder = try GIFCoder().makePreviewDecoder(request)
                _ = try decoder.append(data.prefix(30))
                _ = try decoder.append(data.dropFirst(30))
                #expect(try decoder.finish() == GIFCoder().decode(DecodeRequest(data: data, info: info)), "\(end)")
                #expect(request.truncationNotes.isEmpty == (count == 16), "\(end) \(count)")
            }
        }
    }

    @Test(arguments: [[0x77], [0x00, 0x3B], Array("GIF89a".utf8)] as [[UInt8]])
    func unknownBlockEndsTheFile(_ block: [UInt8]) throws {
        let data = Self.builder().frame(Self.square, blocks: GIFBuilder.packed(Self.codes(16))).adding(block)
            .frame(Self.square, blocks: [0]).data
        let image = try registry.decode(data)
        expectPart(image, 16)
        #expect(image.info.frameCount == 1)
        #expect(image.metadata.notes == ["the GIF ends after frame 1 in a block of unknown type"])
    }

    @Test func missingTrailerIsNoted() throws {
        let data = Self.builder().frame(Self.square, blocks: GIFBuilder.packed(Self.codes(16))).data
        #expect(try registry.decode(data).metadata.notes.isEmpty)
        for count in 1...2 {
            let image = try registry.decode(data.dropLast(count))
            expectPart(image, 16)
            #expect(image.metadata.notes == ["the GIF has no mark at its end"])
        }
    }

    @Test func truncatedAnimationTellsWhatIsMissing() throws {
        let frame = GIFBuilder.packed(Self.codes(16))
        let whole = Self.builder().frame(Self.square, blocks: frame).frame(Self.square, blocks: frame).data
        let image = try registry.decode(whole.dropLast(8))
        #expect(image.info.frameCount == 2 && image.metadata.isIncomplete && image.bitmap.colors == pixels(16))
        let note = "the GIF is truncated in frame 2, which has only 8 of 16 pixels"
        #expect(image.metadata.notes == [note])
        let huge = PixelRectangle(x: 0, y: 0, width: 65_535, height: 65_535)
        let bomb = try registry.decode(
            Self.builder().frame(Self.square, blocks: frame).frame(huge, blocks: frame).data.dropLast(4))
        #expect(bomb.bitmap.colors == pixels(16) && bomb.metadata.isIncomplete)
        let cut = try registry.decode(whole.dropLast(frame.count + 8))
        #expect(cut.info.frameCount == 1 && cut.metadata.isIncomplete)
        #expect(cut.metadata.notes == ["the GIF is truncated after 1 complete frame"])
    }

    @Test(arguments: 2...12 as ClosedRange<UInt8>)
    func allCodeSizesAreDecoded(_ codeSize: UInt8) throws {
        let clear = 1 << Int(codeSize)
        let indices = (0..<16).map { $0 % min(4, clear) }
        let codes = indices.flatMap { [clear, $0] } + [clear + 1]
        let blocks = GIFBuilder.packed(codes, width: Int(codeSize) + 1)
        let image = try registry.decode(Self.builder().frame(Self.square, blocks: blocks, codeSize: codeSize).data)
        #expect(image.bitmap.colors == indices.map { Self.colors[$0] })
        #expect(image.metadata.notes.isEmpty)
    }

    @Test(arguments: [13, 255] as [UInt8])
    func largerCodeSizeIsCorrupt(_ codeSize: UInt8) throws {
        let data = Self.builder().frame(Self.square, blocks: [1, 2, 3], codeSize: codeSize).data
        let error = #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(error?.kind == .corrupt)
    }

    /// Codes of 13 bits beyond the last that can be defined.
    @Test(arguments: [4098, 4099, 8191]) func codeBeyondTheTableIsInvalid(_ code: Int) throws {
        let blocks = GIFBuilder.packed([4096, 1, code, 2], width: 13)
        let image = try registry.decode(Self.builder().frame(Self.square, blocks: blocks, codeSize: 12).data)
        #expect(image.bitmap.colors == [Self.colors[1]] + Array(repeating: clear, count: 15))
    }

    private static let spacer = GIFBuilder(palette: [], size: PixelSize(1, 1))
    private static let point = PixelRectangle(x: 0, y: 0, width: 1, height: 1)

    /// Without a colour table and without data; with a transparent index; and with two colours.
    private static var spacers: [Data] {
        [
            spacer.frame(point, blocks: []).data, spacer.frame(point, blocks: []).data.dropLast(),
            spacer.frame(point, blocks: []).data.dropLast(2),
            spacer.frame(point, blocks: GIFBuilder.packed([4, 5])).data,
            spacer.control(transparentIndex: 0).frame(point, indices: [0]).data,
            GIFBuilder(palette: [.white, .white], size: PixelSize(1, 1)).control(transparentIndex: 0)
                .frame(point, blocks: [0x44, 0x01]).data,
        ]
    }

    @Test(arguments: spacers.indices) func spacerIsTransparent(_ index: Int) throws {
        let image = try registry.decode(Self.spacers[index])
        #expect(image.size == PixelSize(1, 1) && image.bitmap.hasAlpha && image.bitmap.colors == [clear])
    }

    @Test func smallestSpacersHaveTheSizesOfTheWeb() {
        #expect(Self.spacers[0].count == 26)
        #expect(Self.spacers[5].count == 43)
    }

    @Test func pixelsWithoutColorsAreBlack() throws {
        let data = GIFBuilder(palette: []).control(transparentIndex: 2).frame(indices: [0, 1, 2, 3], width: 4).data
        let black = Color(red: 0, green: 0, blue: 0)
        #expect(try registry.decode(data).bitmap.colors == [black, black, clear, black])
    }

    @Test(arguments: [
        (PixelSize(2, 1), PixelRectangle(x: 0, y: 0, width: 4, height: 4), PixelSize(4, 4)),
        (PixelSize(4, 2), PixelRectangle(x: 0, y: 0, width: 4, height: 4), PixelSize(4, 4)),
        (PixelSize(2, 6), PixelRectangle(x: 0, y: 0, width: 4, height: 4), PixelSize(4, 4)),
        (PixelSize(3, 3), PixelRectangle(x: 3, y: 2, width: 4, height: 4), PixelSize(4, 4)),
        (PixelSize(0, 0), PixelRectangle(x: 0, y: 0, width: 4, height: 4), PixelSize(4, 4)),
    ])
    func largerFirstFrameDeterminesTheSize(screen: PixelSize, area: PixelRectangle, size: PixelSize) throws {
        let data = Self.builder(screen).frame(area, blocks: GIFBuilder.packed(Self.codes(16))).data
        let image = try registry.decode(data)
        #expect(image.size == size && image.info.storedSize == size)
        #expect(image.bitmap.colors == pixels(16) && !image.bitmap.hasAlpha)
    }

    @Test func laterFramesAreCutToTheScreen() throws {
        let data = Self.builder(PixelSize(2, 1)).frame(indices: [0, 1])
            .frame(Self.square, blocks: GIFBuilder.packed(Self.codes(16))).data
        let frames = try #require(try registry.decode(data).animation).frames()
        #expect(frames.map(\.bitmap.size) == [PixelSize(2, 1), PixelSize(2, 1)])
    }

    @Test func emptyFirstFrameShowsTheScreen() throws {
        let empty = PixelRectangle(x: 9, y: 0, width: 0, height: 4)
        let data = Self.builder().frame(empty, blocks: []).frame(Self.square, indices: [0]).data
        let image = try registry.decode(data)
        #expect(image.size == Self.square.size && image.bitmap.colors == pixels(0))
        #expect(image.info.frameCount == 2)
        #expect(image.metadata.notes == ["the first frame of the GIF has no area"])
    }

    /// In each of four frames, whole or in part, every kind of damage.
    @Test(arguments: End.allCases, [0, 1, 7])
    func brokenFrameDoesNotStopTheOthers(_ end: End, _ count: Int) throws {
        let part = PixelRectangle(x: 1, y: 1, width: 2, height: 2)
        for broken in 0..<4 {
            for area in [Self.square, part] {
                var builder = Self.builder()
                for index in 0..<4 {
                    let codes = index == broken ? Self.codes(count) + (end == .invalidCode ? [7, 7] : [5]) : []
                    builder = builder.control(delay: 10 + index)
                    builder =
                        index == broken
                        ? builder.frame(area, blocks: GIFBuilder.packed(codes))
                        : builder.frame(index == 0 ? Self.square : area, indices: (0..<16).map { UInt8($0 % 4) })
                }
                let image = try registry.decode(builder.data)
                let encoded = try registry.decode(registry.encode(image, as: .gif))
                #expect(
                    encoded.info.frameDurations == [
                        .milliseconds(100), .milliseconds(110), .milliseconds(120), .milliseconds(130),
                    ])
                let frames = try #require(image.animation).frames().map(\.bitmap.colors)
                #expect(try #require(encoded.animation).frames().map(\.bitmap.colors) == frames)
            }
        }
    }
}

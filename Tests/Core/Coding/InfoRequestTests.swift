import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct InfoRequestTests {
    /// A coder that caches its outline, and counts how often it parses.
    private struct ParsingCoder: ImageCoder {
        struct Outline: Sendable {
            let byteCount: Int
        }

        let parses: Recorder<Int>
        private let plain = PlainCoder()

        init(_ parses: Recorder<Int>) { self.parses = parses }

        var formats: [ImageFormat] { plain.formats }

        func info(of request: InfoRequest) throws -> ImageInfo {
            request.cacheOutline(parse(request))
            return try plain.info(of: request)
        }

        func decode(_ request: DecodeRequest) throws -> Bitmap {
            let outline = request.outline(parse)
            #expect(outline.byteCount == request.data.count)
            return try plain.decode(request)
        }

        private func parse(_ request: InfoRequest) -> Outline {
            parses.note(1)
            return Outline(byteCount: request.data.count)
        }
    }

    private let file = PlainCoder.file(of: .testCard(4, 4))

    @Test func decodeReusesTheOutlineOfTheHeader() throws {
        let parses = Recorder<Int>()
        _ = try CoderRegistry([ParsingCoder(parses)]).decode(file)
        #expect(parses.values.count == 1)
    }

    @Test func decodeWithoutAParsedHeaderParsesIt() throws {
        let parses = Recorder<Int>()
        let coder = ParsingCoder(parses)
        _ = try coder.decode(DecodeRequest(data: file, info: try PlainCoder().info(of: file)))
        #expect(parses.values.count == 1)
    }

    @Test func headerIsReadWithinTheLimitsOfTheDecode() throws {
        struct Asking: ImageCoder {
            let formats = [ImageFormat.plain]
            func info(of request: InfoRequest) throws -> ImageInfo {
                try request.limits.check(segmentCount: 8)
                return ImageInfo(format: .plain, storedSize: PixelSize(1, 1))
            }
            func decode(_ request: DecodeRequest) throws -> Bitmap { .testCard(1, 1) }
        }
        let registry = CoderRegistry([Asking()])
        _ = try registry.decode(file, context: ImageContext { $0.limits.segmentCount = 8 })
        let error = #expect(throws: ImageError.self) {
            try registry.decode(file, context: ImageContext { $0.limits.segmentCount = 7 })
        }
        #expect(error?.message == "segmentCount is 8, and the limit is 7; raise it with context.limits.segmentCount")
    }

    @Test func embeddedImageIsDecodedWithinTheSameRequest() throws {
        struct Container: ImageCoder {
            let formats = [ImageFormat.plain]
            func info(of request: InfoRequest) throws -> ImageInfo { try PlainCoder().info(of: request) }
            func decode(_ request: DecodeRequest) throws -> Bitmap {
                let inner = request.data.dropFirst(0)
                let info = try PlainCoder().info(of: request.headerRequest(of: inner))
                let embedded = request.embedded(inner, info: info)
                #expect(embedded.target == info.storedSize)
                #expect(embedded.context.thumbnail == .fit(2, 2))
                embedded.note("the inner image is odd")
                embedded.noteIncomplete("the inner image is short")
                #expect(embedded.isCancelled == request.isCancelled)
                return try PlainCoder().decode(embedded)
            }
        }
        let registry = CoderRegistry([Container()])
        let context = ImageContext { $0.thumbnail = .fit(2, 2) }
        let image = try registry.decode(file, context: context)
        #expect(image.metadata.notes == ["the inner image is odd", "the inner image is short"])
        #expect(image.metadata.isIncomplete)
        let flag = CancellationFlag()
        flag.set()
        let error = #expect(throws: ImageError.self) {
            let request = DecodeRequest(
                data: file, info: try PlainCoder().info(of: file), context: context, cancellation: flag)
            try request.embedded(file, info: request.info).checkCancellation()
        }
        #expect(error?.kind == .cancelled)
    }
}

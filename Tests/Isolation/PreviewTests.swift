import DarkroomIsolation
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomCore

@Suite(.withoutThreadSanitizer) struct PreviewTests {
    private static let files =
        (Fixture.all(of: .jpeg) + Fixture.all(of: .png) + Fixture.all(of: .gif) + Fixture.all(of: .webp))
        .map { ($0.name, $0.data) } + AnimatedFixture.all.map { ($0.name, $0.data) }

    /// The previews and the final image of a file that arrives in pieces.
    private func previews(
        of data: Data, _ coders: CoderRegistry, _ context: ImageContext
    ) throws -> (bitmaps: [Bitmap], durations: [Duration], last: FinishedBitmap)? {
        let prefix = data.prefix(data.count * 2 / 3)
        guard let first = try? Decoding(InfoRequest(data: prefix), coders: coders, context: context),
            var decoder = try first.makeFinishedPreviews()
        else { return nil }
        var bitmaps: [Bitmap] = []
        for start in stride(from: 0, to: data.count, by: 400) {
            if let preview = try decoder.append(Data(data.dropFirst(start).prefix(400))) {
                bitmaps.append(preview.bitmap)
            }
        }
        let complete = try Decoding(InfoRequest(data: data), coders: coders, context: context)
        let last = try decoder.finish(complete.request)
        return (bitmaps, decoder.frameDurations, last)
    }

    @Test(.bounded) func previewsAndFinalImagesAreTheSame() throws {
        var count = 0
        // One worker, so that it is never another one.
        let coders = try TestEnvironment.standard.makePool { $0.count = 1 }.coders
        for (name, data) in Self.files {
            let context = ImageContext { $0.thumbnail = count % 2 == 0 ? nil : .fit(12, 12) }
            let (expected, isolated) = (
                try previews(of: data, localCoders, context), try previews(of: data, coders, context)
            )
            #expect(isolated?.bitmaps == expected?.bitmaps, "\(name)")
            #expect(isolated?.durations == expected?.durations, "\(name)")
            #expect(isolated?.last.bitmap == expected?.last.bitmap, "\(name)")
            #expect(isolated?.last.profile == expected?.last.profile, "\(name)")
            count += expected?.bitmaps.count ?? 0
        }
        #expect(count > 100)
    }

    @Test func hostilePreviewEndsThePreviewsOnly() throws {
        let coders = try TestEnvironment.standard.pool.coders
        let data = HostileCoder.file("segfault", in: "previews")
        let decoding = try Decoding(InfoRequest(data: data), coders: coders, context: ImageContext())
        var decoder = try #require(try decoding.makeFinishedPreviews())
        #expect(throws: ImageError.self) { try decoder.append(data) }
        #expect(throws: ImageError.self) { try decoder.append(data) }
        #expect(try coders.decode(data).size == PixelSize(64, 64))
    }
}

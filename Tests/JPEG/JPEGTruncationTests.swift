import DarkroomCore
@testable import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Files whose data end too early, with and without an end marker after them.
struct JPEGTruncationTests {
    /// Decodes files of any length without libjpeg, if it can.
    private var registry: CoderRegistry {
        var coder = JPEGCoder()
        coder.minimumBypassByteCount = 0
        return CoderRegistry([coder])
    }

    private static let end = Data([0xFF, 0xD9])

    /// Images with sides of more than 40 pixels are decoded at eight, six, four, two and one eighths of the size.
    private static let thumbnails: [Thumbnail?] = [nil, .fit(13, 7), .fit(8, 4), .fit(4, 2), .fit(2, 1)]

    private static let files = [
        "jpeg-420.jpg", "jpeg-422.jpg", "jpeg-444.jpg", "jpeg-440.jpg", "jpeg-restart.jpg", "jpeg-gray.jpg",
        "jpeg-cmyk.jpg", "jpeg-progressive-420.jpg", "jpeg-progressive-444.jpg", "jpeg-progressive-gray.jpg",
        "jpeg-arithmetic-444.jpg", "jpeg-arithmetic-restart.jpg", "jpeg-arithmetic-progressive.jpg", "encoded",
        "encoded progressive",
    ]

    /// Returns a fixture, or a file that is encoded now.
    private func file(_ name: String) throws -> Data {
        guard name.hasPrefix("encoded") else { return Fixture(name).data }
        let bitmap = Bitmap(44, 41) { x, y in Color(red: UInt8(x * 5), green: UInt8(y * 6), blue: UInt8(x * y % 256)) }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let context = ImageContext { $0.writesProgressiveJPEG = name.hasSuffix("progressive") }
        return try registry.encode(image, as: .jpeg, context: context)
    }

    @Test(arguments: files, thumbnails)
    func endMarkerMakesNoDifferenceToATruncatedFile(_ name: String, _ thumbnail: Thumbnail?) throws {
        let data = try file(name)
        // The last bytes may be filled up, so that nothing is missing without them. In arithmetic coding, these are more.
        let end = data.count - (name.contains("arithmetic") ? 48 : 8)
        // At an eighth of the size, later scans have no effect.
        let mayBeWhole = thumbnail != nil && name.contains("progressive")
        var outcomes: Set<String> = []
        for count in Self.lengths(of: data) where count < end {
            let part = Data(data.prefix(count))
            for acceptsIncomplete in [false, true] {
                let open = outcome(of: part, thumbnail, acceptsIncomplete)
                let ended = outcome(of: part + Self.end, thumbnail, acceptsIncomplete)
                #expect(open == ended, "\(count) bytes, \(acceptsIncomplete)")
                #expect(["incomplete", "a part"].contains(open.kind) || mayBeWhole, "\(count) bytes")
                outcomes.insert(open.kind)
            }
            let (open, ended) = (fed(part, thumbnail), fed(part + Self.end, thumbnail))
            #expect(open == ended, "\(count) bytes")
            if thumbnail == nil { #expect(open.result == outcome(of: part, nil, false), "\(count) bytes") }
        }
        #expect(outcomes.contains("incomplete") && outcomes.contains("a part"))
    }

    /// Lengths near both ends of every marker segment, and some within it and within the data of a scan.
    private static func lengths(of data: Data) -> [Int] {
        let segments = data.segments
        return (3..<data.count).filter { count in
            count % 13 == 0
                || segments.contains {
                    (0..<6).contains(count - $0.lowerBound + 1) || (0..<6).contains($0.upperBound - count)
                }
        }
    }

    /// The header announces rows that the data lack.
    @Test(arguments: ["jpeg-420.jpg", "jpeg-444.jpg", "jpeg-restart.jpg", "jpeg-gray.jpg"], thumbnails)
    func heightBeyondTheDataIsTruncation(_ name: String, _ thumbnail: Thumbnail?) throws {
        let whole = Fixture(name).data
        let taller = whole.withFrameSize(35, 60)
        let error = #expect(throws: ImageError.self) { try decode(taller, thumbnail, false) }
        #expect(error?.kind == .incomplete)
        let image = try decode(taller, thumbnail, true)
        #expect(image.metadata.isIncomplete && image.metadata.notes.count == 1)
        #expect(image.bitmap.color(x: 0, y: image.size.height - 1)?.alpha == 0)
        guard thumbnail == nil else { return }
        let bitmap = try registry.decode(whole).bitmap
        let shown = (0..<60).first { image.bitmap.color(x: 0, y: $0)?.alpha == 0 } ?? 60
        #expect((16..<32).contains(shown))
        let count = min(shown, 16) * 35 * 4
        #expect(image.bitmap.bytes[..<count] == bitmap.bytes[..<count])
    }

    @Test(arguments: thumbnails)
    func missingScansOfAnEndedFileAreNoted(_ thumbnail: Thumbnail?) throws {
        let data = Fixture("jpeg-progressive-444.jpg").data
        let whole = try decode(data, thumbnail, false)
        #expect(!whole.metadata.isIncomplete && whole.metadata.notes.isEmpty)
        let end = try #require(data.endOfFirstScan)
        let image = try decode(data[..<end] + Self.end, thumbnail, false)
        #expect(image.metadata.isIncomplete && image.metadata.notes.first?.contains("scans") == true)
        let last = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).lowerBound
        for part in [data[..<last], data[..<last] + Self.end] {
            #expect(try decode(Data(part), thumbnail, false).metadata.isIncomplete)
        }
    }

    @Test func scansWithoutEffectAtAnEighthOfTheSizeMayBeMissing() throws {
        let bitmap = Bitmap(320, 200) { x, y in Color(red: UInt8(x / 2), green: UInt8(y), blue: UInt8((x ^ y) & 255)) }
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let data = try registry.encode(image, as: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = true })
        let last = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).lowerBound
        for (thumbnail, isIncomplete) in [(Thumbnail.fit(10, 6), false), (.fit(300, 200), true)] {
            let whole = try decode(data, thumbnail, false)
            for part in [data[..<last], data[..<last] + Self.end] {
                let image = try decode(Data(part), thumbnail, false)
                #expect(image.metadata.isIncomplete == isIncomplete)
                #expect(isIncomplete || image.bitmap == whole.bitmap)
            }
        }
    }

    @Test(arguments: thumbnails)
    func damageIsNoted(_ thumbnail: Thumbnail?) throws {
        let whole = Fixture("jpeg-restart.jpg").data
        let restarts = whole.indices.dropLast().filter { whole[$0] == 0xFF && (0xD0...0xD7).contains(whole[$0 + 1]) }
        try #require(restarts.count > 1)
        // Without the data between two restarts, and without one of them.
        let lacking = whole[..<(restarts[0] + 2)] + whole[restarts[1]...]
        let image = try decode(Data(lacking), thumbnail, false)
        #expect(image.metadata.isIncomplete && image.metadata.notes.count == 1)
        #expect(image.metadata.notes.first?.contains("are missing") == true)
        let joined = whole[..<restarts[0]] + whole[(restarts[0] + 2)...]
        let other = try decode(Data(joined), thumbnail, false)
        #expect(other.metadata.notes.count == 1 && other.metadata.notes.first?.contains("damaged") == true)
        #expect(!other.bitmap.hasAlpha && other.size == image.size)
    }

    private struct Outcome: Equatable {
        var kind = ""
        var bitmap: Bitmap?
        var notes: [String] = []
    }

    private func decode(_ data: Data, _ thumbnail: Thumbnail?, _ acceptsIncomplete: Bool) throws(ImageError) -> Image {
        try registry.decode(
            data,
            context: ImageContext {
                $0.thumbnail = thumbnail
                $0.acceptsIncomplete = acceptsIncomplete
            })
    }

    private func outcome(of data: Data, _ thumbnail: Thumbnail?, _ acceptsIncomplete: Bool) -> Outcome {
        do {
            let image = try decode(data, thumbnail, acceptsIncomplete)
            let kind = image.metadata.isIncomplete ? "a part" : "an image"
            return Outcome(kind: kind, bitmap: image.bitmap, notes: image.metadata.notes)
        } catch {
            return Outcome(kind: error.kind == .incomplete ? "incomplete" : "\(error)")
        }
    }

    private struct Fed: Equatable {
        var result: Outcome
        var part: Bitmap?
    }

    /// Returns what a decoder makes of `data` in pieces.
    private func fed(_ data: Data, _ thumbnail: Thumbnail?) -> Fed {
        var fed = Fed(result: Outcome())
        do {
            let coder = JPEGCoder()
            let info = try coder.info(of: data)
            let context = ImageContext { $0.thumbnail = thumbnail }
            let target = thumbnail?.size(for: info.storedSize)
            let request = DecodeRequest(data: data, info: info, target: target, context: context)
            var decoder = try coder.makePreviewDecoder(request)
            for start in stride(from: 0, to: data.count, by: 50) {
                _ = try decoder.append(data[start..<min(start + 50, data.count)])
            }
            fed.part = try decoder.partialBitmap()
            let bitmap = try decoder.finish()
            let notes = request.notes + request.truncationNotes
            let kind = request.truncationNotes.isEmpty ? "an image" : "a part"
            // No part is needed.
            fed = Fed(result: Outcome(kind: kind, bitmap: bitmap, notes: notes))
        } catch let error as ImageError where error.kind == .incomplete {
            fed.result.kind = "incomplete"
        } catch {
            fed.result.kind = "\(error)"
        }
        return fed
    }
}

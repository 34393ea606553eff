import DarkroomCore
import DarkroomPlatform

extension DataEntry {
    /// Returns a small entry, different for each number.
    static func sample(_ number: Int) -> DataEntry {
        DataEntry(Data.sample(200 + number, number: number), metadata: .numbered(number))
    }
}

extension DataEntry.Metadata {
    static let bare = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 800_000_000))

    /// Returns metadata that contains `number`.
    static func numbered(_ number: Int) -> DataEntry.Metadata {
        var metadata = bare
        metadata.extendedData = Data("number \(number)".utf8)
        return metadata
    }

    /// Returns metadata of an original with this revision.
    static func version(_ revision: String) -> DataEntry.Metadata {
        var metadata = bare
        metadata.original = OriginalVersion(revision: revision)
        return metadata
    }

    /// Metadata in which every property is set.
    static var full: DataEntry.Metadata {
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 800_000_000.25))
        var info = ImageInfo(format: .gif, storedSize: PixelSize(3, 2))
        info.orientation = Orientation(tag: 6)
        info.hasAlpha = true
        info.colorModel = .indexed
        info.iccProfile = Data.sample(300)
        info.frameCount = 2
        info.loopCount = 3
        info.frameDurations = [.milliseconds(100), .seconds(1) / 3]
        metadata.info = info
        metadata.response = URL(string: "https://example.com/%C3%A9?a=1#b").map {
            ResponseMetadata(url: $0, status: 203, headers: ["etag": "\"e\u{301}\"", "vary": "accept", "x-empty": ""])
        }
        var freshness = Freshness(confirmedAt: Date(timeIntervalSinceReferenceDate: 800_000_001.5))
        freshness.expires = .distantFuture
        freshness.staleIfError = .seconds(60)
        metadata.original = OriginalVersion(
            revision: "1:2", isLocal: false, freshness: freshness, varied: VariedFields(["accept": "image/png"]))
        metadata.original?.route = URL(string: "https://example.com/a?b").map { url in
            SourceRoute([
                .init(url: url, address: "10.0.0.1", credentials: ["authorization", "cookie"]), .init(url: url),
            ])
        }
        metadata.file = EncodedFile(
            format: .webp, size: PixelSize(30, 20), frameCount: 2, digest: "abcdefghijklmnopqrs_",
            notes: ["the last row is missing"])
        metadata.extendedData = Data([0, 255, 10, 13])
        return metadata
    }
}

extension Data {
    /// Returns pseudorandom bytes, different for each number.
    static func sample(_ byteCount: Int, number: Int = 0) -> Data {
        var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number &* 1_000_003 &+ byteCount))
        return Data((0..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
}

import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct EntryRecordTests {
    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    static var metadata: [DataEntry.Metadata] { [.init(), full, .init(storedAt: .distantPast)] }

    /// Metadata with values for all properties.
    static var full: DataEntry.Metadata {
        var info = ImageInfo(format: .webp, storedSize: PixelSize(4000, 3000))
        info.orientation = .left
        info.hasAlpha = true
        info.bitsPerChannel = 16
        info.colorModel = .cmyk
        info.iccProfile = Data([1, 2, 3])
        info.calibration = Calibration(exponent: 2.2)
        info.calibration?.curve = .camera
        info.calibration?.blue.y = -0.5
        info.xmp = XMP(Data("<x:xmpmeta/>".utf8))
        info.iptc = Data([0x1C, 2, 5, 0, 0])
        info.comments = ["one", "two"]
        info.exif = Exif(Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]))
        info.frameCount = 3
        info.loopCount = -7
        info.frameDurations = [.milliseconds(100), .seconds(Int64.max), .seconds(-1) / 3]
        info.isScalable = true
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSince1970: 1_234_567.875))
        metadata.info = info
        metadata.response = ResponseMetadata(
            url: URL(string: "https://example.com/a%20b?c#d")!, status: 304,
            headers: ["etag": "\"é\"", "": "", "vary": "*"])
        var freshness = Freshness(confirmedAt: Date(timeIntervalSince1970: 1_234_567.875))
        freshness.expires = .distantFuture
        freshness.isHeuristic = true
        freshness.redirectsExpire = Date(timeIntervalSince1970: 1_234_888)
        freshness.mustRevalidate = true
        freshness.isImmutable = true
        freshness.isPrivate = true
        freshness.staleWhileRevalidate = .seconds(30)
        freshness.staleIfError = .seconds(2_147_483_648)
        metadata.original = OriginalVersion(
            revision: "1", isLocal: true, freshness: freshness,
            varied: VariedFields(["accept": "image/*", "cookie": ""], isWildcard: true))
        metadata.original?.varied.language = "de"
        metadata.original?.route = SourceRoute([
            .init(url: URL(string: "https://example.com/a?b")!, credentials: ["cookie", "authorization"]),
            .init(url: URL(string: "http://10.0.0.1:8080/é")!, address: "10.0.0.1"),
        ])
        metadata.file = EncodedFile(
            format: .jpeg, size: PixelSize(180, 120), frameCount: 7, digest: "é", notes: ["", "a note"])
        metadata.original?.sharing.isForbidden = true
        metadata.original?.sharing.expires = Date(timeIntervalSince1970: 1_234_999)
        metadata.original?.sharing.mustRevalidate = true
        metadata.extendedData = Data([0])
        return metadata
    }

    @Test(arguments: metadata) func metadataRoundTrips(_ metadata: DataEntry.Metadata) throws {
        let record = EntryRecord(key: CacheKey(source: "a", variant: ["b", "", "c"]), metadata: metadata)
        let decoded = try EntryRecord(decoding: record.bytes)
        #expect(decoded == record)
        #expect(decoded.bytes == record.bytes)
    }

    /// A property that is added to the metadata needs a value in `full`, and is then stored in every form, or
    /// `metadataRoundTrips` fails.
    @Test func testedMetadataHaveAValueForEveryProperty() {
        #expect(Self.blankProperties(of: [Self.full], at: "metadata") == ["metadata.cookies.texts"])
    }

    @Test(arguments: metadata) func codableFormRoundTrips(_ metadata: DataEntry.Metadata) throws {
        let decoded = try JSONDecoder().decode(DataEntry.Metadata.self, from: JSONEncoder().encode(metadata))
        #expect(decoded == metadata)
    }

    @Test func otherBytesNeedAnotherVersion() {
        let checksum = Checksum(of: Data(EntryRecord(key: "a", metadata: Self.full).bytes)).value
        #expect(
            EntryFooter.version == 10 && checksum == 0xB59E_8675,
            "the layout of records has changed to that with 0x\(String(checksum, radix: 16)): increase EntryFooter.version"
        )
    }

    /// Returns the paths of all properties that are empty, zero, false or `nil` in each of `samples`, which have one type.
    private static func blankProperties(of samples: [Any], at path: String) -> [String] {
        switch samples.first {
        case nil: return [path]
        case is Bool, is Int, is Double, is String, is Data:
            let blanks: [AnyHashable] = [false, 0, 0.0, "", Data()]
            return samples.contains { ($0 as? AnyHashable).map { !blanks.contains($0) } ?? false } ? [] : [path]
        case is ImageFormat, is Exif, is XMP, is Date, is URL, is Duration: return []
        default: break
        }
        let mirrors = samples.map { Mirror(reflecting: $0) }
        switch mirrors[0].displayStyle {
        case .optional, .collection, .dictionary, .set:
            return blankProperties(of: mirrors.flatMap { $0.children.map(\.value) }, at: path)
        case .struct:
            let children = mirrors.flatMap(\.children)
            return mirrors[0].children.compactMap(\.label).flatMap { label in
                blankProperties(of: children.filter { $0.label == label }.map(\.value), at: "\(path).\(label)")
            }
        default: return []
        }
    }

    @Test func signaturesOfKnownFormatsRoundTrip() throws {
        let record = try EntryRecord(decoding: EntryRecord(key: "a", metadata: Self.full).bytes)
        #expect(record.metadata.info?.format.signatures == ImageFormat.webp.signatures)
    }

    @Test(arguments: [0, 1, -1, 63, 64, -64, -65, 1 << 20, .max, .min])
    func integersRoundTrip(_ number: Int) throws {
        var writer = RecordWriter()
        writer.write(number)
        var reader = RecordReader(writer.bytes)
        #expect(try reader.value() == number)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: 0..<200) func hostileKeysRoundTrip(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let key = random.key()
        let decoded = try EntryRecord(decoding: EntryRecord(key: key, metadata: .init()).bytes).key
        #expect(Array(decoded.source.utf8) == Array(key.source.utf8))
        #expect(decoded.variant.map { Array($0.utf8) } == key.variant.map { Array($0.utf8) })
    }

    @Test func everyPrefixIsDamaged() {
        let bytes = EntryRecord(key: "a", metadata: Self.full).bytes
        for count in 0..<bytes.count {
            #expect(throws: DamagedEntry.self) { try EntryRecord(decoding: Array(bytes.prefix(count))) }
        }
        #expect(throws: DamagedEntry.self) { try EntryRecord(decoding: bytes + [0]) }
    }

    @Test func filesOfEarlierLayoutsAreDamaged() throws {
        let record = EntryRecord(key: "a", metadata: Self.full)
        var file = EntryFile.trailer(after: Data(), record)
        let whole = try EntryFile(verifying: file)
        #expect(whole.key == record.key && whole.entry == DataEntry(Data(), metadata: record.metadata))
        let version = file.count - EntryFooter.byteCount + 8
        file[version] -= 1
        let checksum = Checksum(of: file.dropLast(EntryFooter.checksumByteCount)).value
        file = file.dropLast(EntryFooter.checksumByteCount) + checksum.littleEndianBytes
        #expect(throws: DamagedEntry.self) { try EntryFile(verifying: file) }
    }

    @Test(arguments: 0..<100) func noiseNeverCrashes(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        var bytes = EntryRecord(key: "a", metadata: Self.full).bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try? EntryRecord(decoding: bytes)
        _ = try? EntryRecord(decoding: Array(random.bytes(200)))
    }
}

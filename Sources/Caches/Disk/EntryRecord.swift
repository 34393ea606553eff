import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The key and the metadata of an entry, stored after the image in its file.
struct EntryRecord: Equatable {
    let key: CacheKey
    let metadata: DataEntry.Metadata
}

extension EntryRecord {
    /// The encoded record. Equal records have equal bytes.
    var bytes: [UInt8] {
        var writer = RecordWriter()
        writer.write(key)
        writer.write(metadata)
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(DamagedEntry) {
        var reader = RecordReader(bytes)
        key = try reader.key()
        metadata = try reader.metadata()
        guard reader.isAtEnd else { throw DamagedEntry() }
    }
}

extension RecordWriter {
    fileprivate mutating func write(_ key: CacheKey) {
        write(key.source)
        write(key.variant) { $0.write($1) }
    }

    fileprivate mutating func write(_ metadata: DataEntry.Metadata) {
        write(metadata.storedAt.timeIntervalSinceReferenceDate)
        write(metadata.info) { $0.write($1) }
        write(metadata.response) { $0.write($1) }
        write(metadata.original) { $0.write($1) }
        write(metadata.file) { $0.write($1) }
        write(metadata.extendedData) { $0.write($1) }
    }

    private mutating func write(_ file: EncodedFile) {
        write(file.format)
        write(file.size.width)
        write(file.size.height)
        write(file.frameCount)
        write(file.digest)
        write(file.notes) { $0.write($1) }
    }

    private mutating func write(_ format: ImageFormat) {
        write(format.identifier)
        write(format.mimeType)
        write(format.fileExtension)
    }

    private mutating func write(_ info: ImageInfo) {
        write(info.format)
        write(info.storedSize.width)
        write(info.storedSize.height)
        write(info.orientation.rawValue)
        write(info.hasAlpha)
        write(info.bitsPerChannel)
        write(info.colorModel.rawValue)
        write(info.iccProfile) { $0.write($1) }
        write(info.calibration) { $0.write($1) }
        write(info.exif) { $0.write($1.data) }
        write(info.xmp) { $0.write($1.data) }
        write(info.iptc) { $0.write($1) }
        write(info.comments) { $0.write($1) }
        write(info.frameCount)
        write(info.loopCount)
        write(info.frameDurations) { $0.write($1) }
        write(info.isScalable)
    }

    private mutating func write(_ calibration: Calibration) {
        for point in [calibration.white, calibration.red, calibration.green, calibration.blue] {
            write(point.x)
            write(point.y)
        }
        write(calibration.curve.rawValue)
        write(calibration.exponent)
    }

    private mutating func write(_ response: ResponseMetadata) {
        write(response.url.absoluteString)
        write(response.status)
        write(response.headers)
    }

    private mutating func write(_ original: OriginalVersion) {
        write(original.revision)
        write(original.isLocal)
        write(original.freshness) { $0.write($1) }
        write(original.varied.fields)
        write(original.varied.isWildcard)
        write(original.varied.language) { $0.write($1) }
        write(original.route) { writer, route in writer.write(route.hops) { $0.write($1) } }
        write(original.sharing.isForbidden)
        write(original.sharing.expires) { $0.write($1.timeIntervalSinceReferenceDate) }
        write(original.sharing.mustRevalidate)
    }

    private mutating func write(_ hop: SourceRoute.Hop) {
        write(hop.url.absoluteString)
        write(hop.address) { $0.write($1) }
        write(hop.credentials.sorted()) { $0.write($1) }
    }

    private mutating func write(_ freshness: Freshness) {
        write(freshness.confirmedAt.timeIntervalSinceReferenceDate)
        write(freshness.expires) { $0.write($1.timeIntervalSinceReferenceDate) }
        write(freshness.isHeuristic)
        write(freshness.mustRevalidate)
        write(freshness.isImmutable)
        write(freshness.isPrivate)
        write(freshness.staleWhileRevalidate)
        write(freshness.staleIfError)
    }

    private mutating func write(_ fields: [String: String]) {
        write(fields.sorted { $0.key < $1.key }) { writer, field in
            writer.write(field.key)
            writer.write(field.value)
        }
    }
}

extension RecordReader {
    mutating func key() throws(DamagedEntry) -> CacheKey {
        CacheKey(
            source: try string(),
            variant: try array { reader throws(DamagedEntry) in try reader.string() })
    }

    mutating func metadata() throws(DamagedEntry) -> DataEntry.Metadata {
        var metadata = DataEntry.Metadata(storedAt: try date())
        metadata.info = try optional { reader throws(DamagedEntry) in try reader.info() }
        metadata.response = try optional { reader throws(DamagedEntry) in try reader.response() }
        metadata.original = try optional { reader throws(DamagedEntry) in try reader.original() }
        metadata.file = try optional { reader throws(DamagedEntry) in try reader.file() }
        metadata.extendedData = try optional { reader throws(DamagedEntry) in try reader.data() }
        return metadata
    }

    private mutating func info() throws(DamagedEntry) -> ImageInfo {
        let format = try format()
        var info = ImageInfo(format: format, storedSize: PixelSize(try int(), try int()))
        info.orientation = try value(Orientation(rawValue: try int()))
        info.hasAlpha = try bool()
        info.bitsPerChannel = try int()
        info.colorModel = try value(ImageInfo.ColorModel(rawValue: try string()))
        info.iccProfile = try optional { reader throws(DamagedEntry) in try reader.data() }
        info.calibration = try optional { reader throws(DamagedEntry) in try reader.calibration() }
        info.exif = try optional { reader throws(DamagedEntry) in Exif(try reader.data()) }
        info.xmp = try optional { reader throws(DamagedEntry) in try reader.value(XMP(try reader.data())) }
        info.iptc = try optional { reader throws(DamagedEntry) in try reader.data() }
        info.comments = try array { reader throws(DamagedEntry) in try reader.string() }
        info.frameCount = try int()
        info.loopCount = try int()
        info.frameDurations = try array { reader throws(DamagedEntry) in try reader.duration() }
        info.isScalable = try bool()
        return info
    }

    private mutating func file() throws(DamagedEntry) -> EncodedFile {
        EncodedFile(
            format: try format(), size: PixelSize(try int(), try int()), frameCount: try int(), digest: try string(),
            notes: try array { reader throws(DamagedEntry) in try reader.string() })
    }

    private mutating func format() throws(DamagedEntry) -> ImageFormat {
        let identifier = try string()
        return ImageFormat(
            identifier: identifier, mimeType: try string(), fileExtension: try string(),
            signatures: ImageFormat.known.first { $0.identifier == identifier }?.signatures ?? [])
    }

    private mutating func calibration() throws(DamagedEntry) -> Calibration {
        var calibration = Calibration(exponent: 1)
        calibration.white = try chromaticity()
        calibration.red = try chromaticity()
        calibration.green = try chromaticity()
        calibration.blue = try chromaticity()
        calibration.curve = try value(Calibration.Curve(rawValue: try string()))
        calibration.exponent = try double()
        return calibration
    }

    private mutating func chromaticity() throws(DamagedEntry) -> Calibration.Chromaticity {
        .init(x: try double(), y: try double())
    }

    private mutating func response() throws(DamagedEntry) -> ResponseMetadata {
        let url = try url()
        let status = try int()
        return ResponseMetadata(url: url, status: status, headers: try dictionary())
    }

    private mutating func original() throws(DamagedEntry) -> OriginalVersion {
        var version = OriginalVersion(
            revision: try string(), isLocal: try bool(),
            freshness: try optional { reader throws(DamagedEntry) in try reader.freshness() },
            varied: VariedFields(try dictionary(), isWildcard: try bool()))
        version.varied.language = try optional { reader throws(DamagedEntry) in try reader.string() }
        version.route = try optional { reader throws(DamagedEntry) in
            SourceRoute(try reader.array { reader throws(DamagedEntry) in try reader.hop() })
        }
        version.sharing.isForbidden = try bool()
        version.sharing.expires = try optional { reader throws(DamagedEntry) in try reader.date() }
        version.sharing.mustRevalidate = try bool()
        return version
    }

    private mutating func hop() throws(DamagedEntry) -> SourceRoute.Hop {
        SourceRoute.Hop(
            url: try url(),
            address: try optional { reader throws(DamagedEntry) in try reader.string() },
            credentials: Set(try array { reader throws(DamagedEntry) in try reader.string() }))
    }

    private mutating func freshness() throws(DamagedEntry) -> Freshness {
        var freshness = Freshness(confirmedAt: try date())
        freshness.expires = try optional { reader throws(DamagedEntry) in try reader.date() }
        freshness.isHeuristic = try bool()
        freshness.mustRevalidate = try bool()
        freshness.isImmutable = try bool()
        freshness.isPrivate = try bool()
        freshness.staleWhileRevalidate = try duration()
        freshness.staleIfError = try duration()
        return freshness
    }

    private mutating func date() throws(DamagedEntry) -> Date { Date(timeIntervalSinceReferenceDate: try double()) }

    private func value<Value>(_ value: Value?) throws(DamagedEntry) -> Value {
        guard let value else { throw DamagedEntry() }
        return value
    }
}

package import DarkroomCore
import FoundationEssentials

/// The fields of metadata by their paths, such as `original.sharing.isForbidden`, found by reflection.
///
/// A test that stores ``sample`` and compares the fields names one that a cache forgets, also if it is new.
package struct StoredFields {
    /// The values of all fields.
    package let values: [String: AnyHashable]

    /// Creates the fields of `metadata`.
    package init(of metadata: DataEntry.Metadata) {
        var values: [String: AnyHashable] = [:]
        Self.collect(metadata, at: "", into: &values)
        self.values = values
    }

    /// Returns the paths at which the values differ, sorted.
    package func differences(from other: StoredFields) -> [String] {
        Set(values.keys).union(other.values.keys).filter { values[$0] != other.values[$0] }.sorted()
    }

    /// The fields of ``sample`` that have the value of a new instance. Set them there.
    package static var unsetInSample: [String] {
        let (set, unset) = (StoredFields(of: sample), StoredFields(of: initial))
        return Set(set.values.keys).union(unset.values.keys).filter { path in
            guard let value = set.values[path], let initial = unset.values[path] else { return true }
            return value == initial
        }.sorted()
    }

    /// The types of which only the whole is stored.
    private static let wholes: Set<ObjectIdentifier> = [
        ObjectIdentifier(Exif.self), ObjectIdentifier(XMP.self), ObjectIdentifier(ImageFormat.self),
    ]

    private static func collect(_ value: Any, at path: String, into values: inout [String: AnyHashable]) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value {
            return collect(wrapped, at: path, into: &values)
        }
        if mirror.displayStyle == .collection, mirror.children.contains(where: { isExpanded($0.value) }) {
            for (index, child) in mirror.children.enumerated() {
                collect(child.value, at: "\(path)[\(index)]", into: &values)
            }
        } else if isExpanded(value) {
            for child in mirror.children {
                collect(child.value, at: path + (path.isEmpty ? "" : ".") + (child.label ?? "?"), into: &values)
            }
        } else {
            values[path] = value as? AnyHashable
        }
    }

    /// Whether `value` is a structure of the library with fields of its own.
    private static func isExpanded(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .struct && String(reflecting: mirror.subjectType).hasPrefix("DarkroomCore.")
            && !wholes.contains(ObjectIdentifier(mirror.subjectType)) && !mirror.children.isEmpty
    }
}

extension StoredFields {
    private static let url = URL(string: "https://example.com/%C3%A9?a=1#b")!

    /// Metadata whose every field differs from that of a new instance.
    package static var sample: DataEntry.Metadata {
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 800_000_000.25))
        metadata.info = info
        metadata.response = ResponseMetadata(url: url, status: 203, headers: ["etag": "\"1\"", "x-empty": ""])
        metadata.setCookies = ["session=secret"]
        metadata.original = original
        metadata.file = EncodedFile(
            format: .webp, size: PixelSize(30, 20), frameCount: 2, digest: "abcdefghijklmnopqrs_",
            notes: ["", "a note"])
        metadata.extendedData = Data([0, 255, 10, 13])
        return metadata
    }

    private static var info: ImageInfo {
        var info = ImageInfo(format: .gif, storedSize: PixelSize(3, 2))
        info.orientation = .left
        info.hasAlpha = true
        info.bitsPerChannel = 16
        info.colorModel = .cmyk
        info.iccProfile = Data([1, 2, 3])
        var calibration = Calibration(exponent: 2.5)
        calibration.white = .init(x: 0.3, y: 0.31)
        calibration.red = .init(x: 0.6, y: 0.32)
        calibration.green = .init(x: 0.31, y: 0.61)
        calibration.blue = .init(x: 0.16, y: -0.5)
        calibration.curve = .camera
        info.calibration = calibration
        info.exif = Exif(Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]))
        info.xmp = XMP(Data("<x:xmpmeta/>".utf8))
        info.iptc = Data([0x1C, 2, 5, 0, 0])
        info.comments = ["one", "two"]
        info.frameCount = 3
        info.loopCount = 7
        info.frameDurations = [.milliseconds(100), .seconds(1) / 3]
        info.isScalable = true
        return info
    }

    private static var original: OriginalVersion {
        var freshness = Freshness(confirmedAt: Date(timeIntervalSinceReferenceDate: 800_000_001.5))
        freshness.expires = Date(timeIntervalSinceReferenceDate: 800_000_061.5)
        freshness.isHeuristic = true
        freshness.redirectsExpire = Date(timeIntervalSinceReferenceDate: 800_000_051.5)
        freshness.mustRevalidate = true
        freshness.isImmutable = true
        freshness.isPrivate = true
        freshness.staleWhileRevalidate = .seconds(30)
        freshness.staleIfError = .milliseconds(1500)
        var original = OriginalVersion(
            revision: "1:2", isLocal: true, freshness: freshness,
            varied: VariedFields(["accept": "image/*"], isWildcard: true))
        original.varied.language = "de"
        original.route = SourceRoute([.init(url: url, address: "10.0.0.1", credentials: ["authorization", "cookie"])])
        original.sharing.isForbidden = true
        original.sharing.expires = Date(timeIntervalSinceReferenceDate: 800_000_031.5)
        original.sharing.mustRevalidate = true
        return original
    }

    /// Metadata with new instances of all its parts.
    private static var initial: DataEntry.Metadata {
        var metadata = DataEntry.Metadata(storedAt: .distantPast)
        var info = ImageInfo(format: .png, storedSize: PixelSize(1, 1))
        info.calibration = Calibration(exponent: 1)
        metadata.info = info
        metadata.response = ResponseMetadata(url: URL(string: "http://example.com")!, status: 200)
        metadata.original = OriginalVersion(revision: "", freshness: Freshness(confirmedAt: .distantPast))
        metadata.original?.route = SourceRoute([.init(url: URL(string: "http://example.com")!)])
        metadata.file = EncodedFile(format: .png, size: PixelSize(1, 1), digest: "")
        return metadata
    }
}

public import DarkroomPlatform

/// The Exif metadata that a camera stores in an image: a TIFF structure, parsed with checked bounds.
public struct Exif: Hashable, Sendable {
    /// The TIFF structure, without the marker `Exif\0\0` that JPEG puts before it.
    public let data: Data

    /// The orientation of the stored image; upright if there is none, or the structure is invalid.
    public let orientation: Orientation

    /// The time when the image was taken, or else last changed, as `2026-11-21 14:30:00` in an unknown time zone.
    public let dateTime: String?

    /// Whether the GPS directory has any entry, even if only its version.
    public let hasLocation: Bool

    /// Parses `data`, a TIFF structure with or without `Exif\0\0` before it. Parsing never fails and always ends.
    public init(_ data: Data) {
        let marker = Array("Exif\0\0".utf8)
        self.data = Data(data.starts(with: marker) ? data.dropFirst(marker.count) : data)
        let file = TIFFFile(self.data)
        let main = file?.directory(at: file?.firstDirectory)
        let details = file?.directory(at: main?.first(of: .exifDirectory)?.number)
        let gps = file?.directory(at: main?.first(of: .gpsDirectory)?.number)
        orientation = main?.first(of: .orientation)?.orientation ?? .up
        dateTime = details?.first(of: .dateTaken)?.dateTime ?? main?.first(of: .dateChanged)?.dateTime
        hasLocation = gps?.isEmpty == false
    }
}

extension Exif {
    /// Creates the metadata of `data`, a TIFF structure that another process has parsed.
    package init(parsed data: Data, orientation: Orientation, dateTime: String?, hasLocation: Bool) {
        (self.data, self.orientation, self.dateTime, self.hasLocation) = (data, orientation, dateTime, hasLocation)
    }
}

extension Exif: Codable {
    private enum CodingKeys: CodingKey {
        case data
    }

    /// Creates the metadata by decoding and parsing its bytes.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .data))
    }

    /// Encodes only the bytes.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(data, forKey: .data)
    }
}

extension TIFFFile.Tag {
    /// Orientation.
    fileprivate static let orientation = TIFFFile.Tag(rawValue: 0x0112)
    /// DateTime.
    fileprivate static let dateChanged = TIFFFile.Tag(rawValue: 0x0132)
    /// DateTimeOriginal.
    fileprivate static let dateTaken = TIFFFile.Tag(rawValue: 0x9003)
    /// The offset of the Exif directory.
    static let exifDirectory = TIFFFile.Tag(rawValue: 0x8769)
    /// The offset of the GPS directory.
    static let gpsDirectory = TIFFFile.Tag(rawValue: 0x8825)
}

extension [TIFFFile.Entry] {
    fileprivate func first(of tag: TIFFFile.Tag) -> Element? { first { $0.tag == tag } }
}

extension TIFFFile.Entry {
    // Exif prescribes a short, but some programs write a long.
    fileprivate var orientation: Orientation? { number.map(Orientation.init(tag:)) }

    /// The value in the form of `Exif.dateTime`; `nil` if it is not a valid date.
    fileprivate var dateTime: String? {
        guard let text, text.count == 19 else { return nil }
        let pattern = Array("dddd:dd:dd dd:dd:dd".utf8)
        let digit = UInt8(ascii: "d"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard zip(text, pattern).allSatisfy({ $1 == digit ? digits.contains($0) : $0 == $1 }) else { return nil }
        let parts = text.split { !digits.contains($0) }.map { $0.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } }
        let bounds = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...60]
        guard zip(parts, bounds).allSatisfy({ $1.contains($0) }) else { return nil }
        let date = text.prefix(10).map { $0 == UInt8(ascii: ":") ? UInt8(ascii: "-") : $0 }
        return String(decoding: date + text.dropFirst(10), as: UTF8.self)
    }
}

import DarkroomPlatform

/// Writes the Exif of an image anew for a picture made from it, which may have another size and other pixels.
///
/// Only tags that remain true are copied, with the numbers of the new picture in place of those of the original. Left
/// out are thumbnails, whose directory is not even read; the camera maker's own notes, whose contents are not documented
/// and may include previews; and the structure of the original file. The work is bounded by the size of the original.
struct ExifWriter {
    /// An entry with its value, in the byte order of the file.
    private struct Field {
        let tag, type, count: Int
        // A slice: values that overlap would be many times as large as the file if each was copied.
        let value: ArraySlice<UInt8>
    }

    private typealias Directory = [Field]

    private let file: TIFFFile
    private let kinds: MetadataKinds
    private let size: PixelSize
    private let isSRGB: Bool

    /// Creates a writer of the tags of `kinds` for a picture of `size`. Returns `nil` if `exif` is not a TIFF structure.
    init?(_ exif: Exif, keeping kinds: MetadataKinds, size: PixelSize, isSRGB: Bool) {
        guard let file = TIFFFile(exif.data) else { return nil }
        self.file = file
        self.kinds = kinds
        self.size = size
        self.isSRGB = isSRGB
    }

    /// The new structure. `nil` if the directories are broken, or if there is nothing to write.
    var exif: Exif? {
        guard let entries = file.wholeDirectory(at: file.firstDirectory) else { return nil }
        let main = fields(entries, in: kinds.contains(.exif) ? ExifTags.main : copyright)
        let details = kinds.contains(.exif) ? fields(entries, below: .exifDirectory, in: ExifTags.details) : []
        let place = kinds.contains(.location) ? fields(entries, below: .gpsDirectory, in: ExifTags.place) : []
        let byteCount = (main + details + place).reduce(0) { $0 + $1.value.count }
        // Values that overlap would be multiplied.
        guard !(main + details + place).isEmpty, byteCount <= file.byteCount else { return nil }
        return Exif(data(main: main, details: details, place: place))
    }

    private var copyright: Set<Int> { kinds.contains(.copyright) ? ExifTags.copyright : [] }

    /// Returns the fields of the directory to which the entry with `tag` leads. A broken one is left out.
    private func fields(_ entries: [TIFFFile.Entry], below tag: TIFFFile.Tag, in kept: Set<Int>) -> Directory {
        let offset = entries.first { $0.tag == tag }?.number
        return fields(file.wholeDirectory(at: offset) ?? [], in: kept)
    }

    /// Returns the first field of each of the `kept` tags, in order of tags, without those whose value is broken.
    private func fields(_ entries: [TIFFFile.Entry], in kept: Set<Int>) -> Directory {
        var seen: Set<Int> = []
        return entries.filter { kept.contains($0.tag.rawValue) && seen.insert($0.tag.rawValue).inserted }
            .compactMap(field).sorted { $0.tag < $1.tag }
    }

    private func field(_ entry: TIFFFile.Entry) -> Field? {
        let tag = entry.tag.rawValue
        if let number = number(of: tag) {
            let (type, byteCount) = number > 0xFFFF ? (4, 4) : (3, 2)
            return Field(tag: tag, type: type, count: 1, value: file.bytes(of: number, count: byteCount)[...])
        }
        guard let value = entry.value else { return nil }
        return Field(tag: tag, type: value.type, count: value.count, value: value.bytes)
    }

    /// Returns the number that replaces that of the original.
    private func number(of tag: Int) -> Int? {
        switch tag {
        case ExifTags.orientation: 1
        case ExifTags.imageWidth, ExifTags.pixelXDimension: size.width
        case ExifTags.imageLength, ExifTags.pixelYDimension: size.height
        case ExifTags.colorSpace: isSRGB ? 1 : 0xFFFF
        default: nil
        }
    }

    private func data(main: Directory, details: Directory, place: Directory) -> Data {
        var main = main
        let others = [(TIFFFile.Tag.exifDirectory, details), (.gpsDirectory, place)].filter { !$0.1.isEmpty }
        var offset = 8 + Self.byteCount(main.count + others.count)
        for (tag, directory) in others {
            main.append(Field(tag: tag.rawValue, type: 4, count: 1, value: file.bytes(of: offset, count: 4)[...]))
            offset += Self.byteCount(directory.count)
        }
        main.sort { $0.tag < $1.tag }
        var (directories, values) = (file.header(firstDirectory: 8), [UInt8]())
        for directory in [main] + others.map(\.1) {
            append(directory, to: &directories, values: &values, valueOffset: offset)
        }
        return Data(directories + values)
    }

    /// Appends `directory`, which no other one follows. Values that do not fit in their entry go to `values`.
    private func append(
        _ directory: Directory, to bytes: inout [UInt8], values: inout [UInt8], valueOffset: Int
    ) {
        bytes += file.bytes(of: directory.count, count: 2)
        for field in directory {
            bytes += file.bytes(of: field.tag, count: 2) + file.bytes(of: field.type, count: 2)
            bytes += file.bytes(of: field.count, count: 4)
            if field.value.count <= 4 {
                bytes += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                bytes += file.bytes(of: valueOffset + values.count, count: 4)
                // Values begin at even offsets.
                values += field.value + [UInt8](repeating: 0, count: field.value.count % 2)
            }
        }
        bytes += [0, 0, 0, 0]
    }

    /// Returns the size of a directory with `count` entries.
    private static func byteCount(_ count: Int) -> Int { 2 + 12 * count + 4 }
}

/// The tags that are written, of Exif 3.0.
private enum ExifTags {
    static let orientation = 0x0112
    static let imageWidth = 0x0100, imageLength = 0x0101
    static let colorSpace = 0xA001, pixelXDimension = 0xA002, pixelYDimension = 0xA003

    /// Size, texts, resolution, time, author, rating and copyright.
    static let main = Set(
        [imageWidth, imageLength, orientation, 0x010D, 0x010E, 0x010F, 0x0110, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132]
            + [0x013B, 0x013C, 0x4746, 0x4749, 0x8298] + Array(0x9C9B...0x9C9F))

    /// Artist, Copyright, and the author as Windows writes it.
    static let copyright: Set = [0x013B, 0x8298, 0x9C9D]

    /// The exposure, the times, the camera and the lens. Left out are the makers' notes (0x927C), the structure of the
    /// pixels, places in them (0x9214, 0xA214), other files (0xA004, 0xA005), and resolutions on the sensor.
    static let details = Set(
        [
            0x829A, 0x829D, 0x8822, 0x8824, 0x8827, 0x9000, 0x9003, 0x9004, 0x9286, 0xA000, 0xA20B, 0xA215, 0xA217,
            0xA420,
        ]
            + Array(0x8830...0x8835) + Array(0x9010...0x9012) + Array(0x9201...0x920A) + Array(0x9290...0x9292)
            + Array(0x9400...0x9405) + [colorSpace, pixelXDimension, pixelYDimension] + Array(0xA300...0xA302)
            + Array(0xA401...0xA40C) + Array(0xA430...0xA43C) + Array(0xA460...0xA462))

    /// All GPS tags.
    static let place = Set(0...0x1F)
}

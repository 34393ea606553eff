import DarkroomCore
import DarkroomPlatform

// The fields of an entry's metadata, in the order in which its file has them. Whoever changes them increases
// `EntryFooter.version`.

extension DataEntry.Metadata: Recorded {
    static var blank: DataEntry.Metadata { DataEntry.Metadata(storedAt: .blank) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&storedAt)
        try coder.code(&info)
        try coder.code(&response)
        try coder.code(&original)
        try coder.code(&file)
        try coder.code(&extendedData)
    }
}

extension ImageInfo: Recorded {
    static var blank: ImageInfo { ImageInfo(format: .png, storedSize: .blank) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&format)
        try coder.code(&storedSize)
        try coder.code(raw: &orientation)
        try coder.code(&hasAlpha)
        try coder.code(&bitsPerChannel)
        try coder.code(raw: &colorModel)
        try coder.code(&iccProfile)
        try coder.code(&calibration)
        try coder.code(optional: &exif, as: \.data) { Exif($0) }
        try coder.code(optional: &xmp, as: \.data) { XMP($0) }
        try coder.code(&iptc)
        try coder.code(&comments)
        try coder.code(&frameCount)
        try coder.code(&loopCount)
        try coder.code(&frameDurations)
        try coder.code(&isScalable)
    }
}

extension ImageFormat: Recorded {
    static var blank: ImageFormat { .png }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var (identifier, mimeType, fileExtension) = (identifier, mimeType, fileExtension)
        try coder.code(&identifier)
        try coder.code(&mimeType)
        try coder.code(&fileExtension)
        self = ImageFormat(
            identifier: identifier, mimeType: mimeType, fileExtension: fileExtension,
            signatures: ImageFormat.known.first { $0.identifier == identifier }?.signatures ?? [])
    }
}

extension PixelSize: Recorded {
    static var blank: PixelSize { PixelSize(0, 0) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&width)
        try coder.code(&height)
    }
}

extension Calibration: Recorded {
    static var blank: Calibration { Calibration(exponent: 1) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&white)
        try coder.code(&red)
        try coder.code(&green)
        try coder.code(&blue)
        try coder.code(raw: &curve)
        try coder.code(&exponent)
    }
}

extension Calibration.Chromaticity: Recorded {
    static var blank: Calibration.Chromaticity { .init(x: 0, y: 0) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&x)
        try coder.code(&y)
    }
}

extension EncodedFile: Recorded {
    static var blank: EncodedFile { EncodedFile(format: .blank, size: .blank, digest: "") }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&format)
        try coder.code(&size)
        try coder.code(&frameCount)
        try coder.code(&digest)
        try coder.code(&notes)
    }
}

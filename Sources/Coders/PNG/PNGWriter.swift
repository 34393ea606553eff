import CPNG
import DarkroomCore
import DarkroomPlatform
import DarkroomQuantizing

/// A libpng writer of one file.
@safe final class PNGWriter {
    /// The properties of a file other than its pixels. All options of the encoder are among them.
    struct Attributes {
        /// The compression level, from 0 to 9.
        var level: Int

        /// Whether a palette was reduced. Its indices hardly repeat, so a slower and better compression is worth its time.
        var hasReducedPalette = false

        /// The contents of the file besides pixels.
        var metadata: Metadata

        /// The properties of the later frames of an animation, whose metadata is that of the first one.
        var ofLaterFrames: Attributes {
            var attributes = self
            attributes.metadata = Metadata()
            return attributes
        }
    }

    /// The parts that a file contains once, however many frames it has.
    struct Metadata {
        /// The ICC profile of the RGB values; `nil` for sRGB.
        var iccProfile: Data?

        /// The Exif data, a TIFF structure.
        var exif: Data?

        /// Complete chunks of text.
        var textChunks = Data()
    }

    private let handle: OpaquePointer
    private let request: EncodeRequest
    private let rowByteCount: Int

    /// Creates a writer of an image of `size` and writes the header. `request` provides the limit of the file size.
    init(_ size: PixelSize, layout: PNGLayout, attributes: Attributes, request: EncodeRequest) throws(ImageError) {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height) else {
            throw ImageError(.unsupported, .encode, "a PNG file cannot have \(size) pixels")
        }
        guard let handle = unsafe cpng_writer_create() else {
            throw ImageError(.internal, .encode, "libpng could not allocate a writer")
        }
        unsafe self.handle = handle
        self.request = request
        rowByteCount = size.width * layout.pixelByteCount
        var header = unsafe cpng_written_header()
        unsafe header.width = width
        unsafe header.height = height
        unsafe header.color_type = layout.colorType
        unsafe header.has_alpha = layout.hasAlpha ? 1 : 0
        unsafe header.level = Int32(attributes.level)
        unsafe header.has_reduced_palette = attributes.hasReducedPalette ? 1 : 0
        unsafe header.byte_limit = max(request.context.limits.outputByteCount, 0)
        try unsafe write(&header, palette: layout.paletteBytes, attributes.metadata)
    }

    deinit { unsafe cpng_writer_destroy(handle) }

    /// Whether the profile of the attributes was written, and not left out as broken.
    var hasProfile: Bool { unsafe cpng_writer_has_profile(handle) != 0 }

    /// Writes the next row: RGBA8 with straight alpha, or one byte per pixel and channel if the layout has one or two.
    func append(row pixels: Span<UInt8>) throws(ImageError) {
        precondition(pixels.count == rowByteCount, "the row does not have the length of the image's rows")
        let code = unsafe pixels.withUnsafeBufferPointer { bytes in unsafe cpng_write_row(handle, bytes.baseAddress) }
        try check(code)
    }

    /// Returns the file after the last row has been written.
    func finish() throws(ImageError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(unsafe cpng_finish(handle, &bytes, &count))
        guard let bytes = unsafe bytes else { throw ImageError(.internal, .encode, "libpng produced no output") }
        let file = unsafe Data(bytesNoCopy: bytes, count: count, deallocator: .free)
        try request.check(outputByteCount: file.count)
        return file
    }

    private func write(
        _ header: inout cpng_written_header, palette: [UInt8], _ metadata: Metadata
    ) throws(ImageError) {
        let (profile, exif, text) = (
            Array(metadata.iccProfile ?? Data()), Array(metadata.exif ?? Data()), Array(metadata.textChunks)
        )
        let code = unsafe palette.withUnsafeBufferPointer { palette in
            unsafe profile.withUnsafeBufferPointer { profile in
                unsafe exif.withUnsafeBufferPointer { exif in
                    unsafe text.withUnsafeBufferPointer { text in
                        unsafe header.palette = palette.baseAddress
                        unsafe header.palette_count = Int32(palette.count / 4)
                        unsafe header.profile = profile.isEmpty ? nil : profile.baseAddress
                        unsafe header.profile_count = profile.count
                        unsafe header.exif = exif.isEmpty ? nil : exif.baseAddress
                        unsafe header.exif_count = exif.count
                        unsafe header.text = text.isEmpty ? nil : text.baseAddress
                        unsafe header.text_count = text.count
                        return unsafe cpng_write_header(handle, &header)
                    }
                }
            }
        }
        try check(code)
    }

    private func check(_ code: Int32) throws(ImageError) {
        guard Int(code) != CPNG_OK else { return }
        if Int(code) == CPNG_STOPPED {
            try request.check(outputByteCount: request.context.limits.outputByteCount &+ 1)
        }
        let message = unsafe String(cString: cpng_writer_message(handle))
        throw ImageError(.internal, .encode, "the PNG file could not be encoded (libpng: \(message))")
    }
}

extension PNGLayout {
    fileprivate var colorType: Int32 {
        switch self {
        case .rgb: Int32(CPNG_RGB)
        case .rgba: Int32(CPNG_RGB_ALPHA)
        case .gray: Int32(CPNG_GRAY)
        case .grayAlpha: Int32(CPNG_GRAY_ALPHA)
        case .palette: Int32(CPNG_PALETTE)
        }
    }

    fileprivate var hasAlpha: Bool {
        switch self {
        case .rgb, .gray: false
        case .rgba, .grayAlpha: true
        case .palette(let palette): palette.hasAlpha
        }
    }

    /// The colours, four bytes each.
    fileprivate var paletteBytes: [UInt8] {
        guard case .palette(let palette) = self else { return [] }
        return palette.colors.flatMap { color in
            [color.red, color.green, color.blue, color.alpha]
        }
    }
}

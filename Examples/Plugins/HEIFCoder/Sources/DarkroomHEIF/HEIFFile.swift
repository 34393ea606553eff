import CHEIF
import DarkroomCore
import DarkroomItemFile

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The primary image of a file opened by libheif. Owned by one task.
@safe final class HEIFFile {
    private let context: OpaquePointer
    private let handle: OpaquePointer
    private let format: ImageFormat
    private let items: ItemFile

    /// Reads the boxes of `data`, which libheif copies.
    init(_ data: Data, _ limits: DecodeLimits) throws(ImageError) {
        let items = try ItemFile(data, limits: limits)
        guard !items.hasCompressedItems else {
            throw ImageError(
                .unsupported, .decode, "the HEIF has compressed metadata, which libheif decompresses without a limit")
        }
        guard let context = unsafe heif_context_alloc() else {
            throw ImageError(.overLimit, .decode, "there is not enough memory to decode the HEIF")
        }
        var handle: OpaquePointer?
        do {
            let error = unsafe data.withUnsafeBytes {
                unsafe heif_context_read_from_memory(context, $0.baseAddress, $0.count, nil)
            }
            try unsafe check(error)
            try unsafe check(heif_context_get_primary_image_handle(context, &handle))
        } catch {
            unsafe heif_context_free(context)
            throw error
        }
        guard let handle = unsafe handle else {
            unsafe heif_context_free(context)
            throw ImageError(.corrupt, .decode, "the HEIF contains no image")
        }
        unsafe (self.context, self.handle) = (context, handle)
        format = ImageFormat.heic.matches(data) ? .heic : .heif
        self.items = items
    }

    deinit {
        unsafe heif_image_handle_release(handle)
        unsafe heif_context_free(context)
    }

    /// The properties declared in the boxes. libheif rotates, mirrors and crops the image itself; HEIF ignores the
    /// orientation in Exif.
    var info: ImageInfo {
        var info = ImageInfo(format: format, storedSize: size)
        info.hasAlpha = unsafe heif_image_handle_has_alpha_channel(handle) != 0
        info.bitsPerChannel = max(unsafe Int(heif_image_handle_get_luma_bits_per_pixel(handle)), 1)
        info.iccProfile = profile
        info.calibration = info.iccProfile == nil ? calibration : nil
        info.exif = exif
        return info
    }

    /// Throws if `limits` forbid what libheif decodes: the whole image, which it then crops, the canvas on which it composes
    /// that, its tiles and its alpha channel.
    func checkSizes(_ limits: DecodeLimits) throws(ImageError) {
        let width = unsafe Int(heif_image_handle_get_ispe_width(handle))
        let height = unsafe Int(heif_image_handle_get_ispe_height(handle))
        try limits.check(ImageInfo(format: format, storedSize: PixelSize(width, height)))
        try items.checkCanvas(limits)
        // libheif's planes, its copies for rotation and conversion, and the resulting pixels.
        let largest = max(size.pixelCount, items.largestImage.pixelCount)
        // libheif decodes a tile for each reference to it. A grid with an alpha channel takes four times its pixels.
        for (pixelCount, byteCount) in [(largest, 3 * 4), (items.decodedPixelCount, 3)] {
            let (product, overflow) = pixelCount.multipliedReportingOverflow(by: byteCount)
            try limits.check(decodedByteCount: overflow ? .max : product)
        }
    }

    /// Returns the upright pixels.
    func bitmap(_ request: DecodeRequest) throws -> Bitmap {
        let image = try unsafe decoded()
        defer { unsafe heif_image_release(image) }
        try request.checkCancellation()
        var stride: CInt = 0
        let plane = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
        let size = unsafe PixelSize(
            Int(heif_image_get_width(image, heif_channel_interleaved)),
            Int(heif_image_get_height(image, heif_channel_interleaved)))
        guard let plane = unsafe plane, size == request.info.storedSize else {
            throw ImageError(
                .corrupt, .decode, "the HEIF has \(size) pixels, but its header declares \(request.info.storedSize)")
        }
        let isPremultiplied = unsafe request.info.hasAlpha && heif_image_is_premultiplied_alpha(image) != 0
        var y = 0
        return try request.bitmap { row in
            let source = unsafe UnsafeBufferPointer(start: plane + y * Int(stride), count: row.count)
            for index in row.indices { row[index] = unsafe source[index] }
            if !request.info.hasAlpha { row.makeOpaque() }
            if isPremultiplied { row.unpremultiply() }
            y += 1
        }
    }

    private var size: PixelSize {
        unsafe PixelSize(Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
    }

    private func decoded() throws(ImageError) -> OpaquePointer {
        guard let options = unsafe heif_decoding_options_alloc() else {
            throw ImageError(.overLimit, .decode, "there is not enough memory to decode the HEIF")
        }
        defer { unsafe heif_decoding_options_free(options) }
        unsafe options.pointee.convert_hdr_to_8bit = 1
        var image: OpaquePointer?
        try unsafe check(
            heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options))
        guard let image = unsafe image else { throw ImageError(.corrupt, .decode, "the HEIF contains no pixels") }
        return unsafe image
    }

    private var profile: Data? {
        let type = unsafe heif_image_handle_get_color_profile_type(handle)
        guard [heif_color_profile_type_rICC, heif_color_profile_type_prof].contains(type) else { return nil }
        let byteCount = unsafe heif_image_handle_get_raw_color_profile_size(handle)
        return unsafe data(byteCount) { unsafe heif_image_handle_get_raw_color_profile(handle, $0) }
    }

    /// The colour space of the property `nclx`, unless it is sRGB.
    private var calibration: Calibration? {
        var points: UnsafeMutablePointer<heif_color_profile_nclx>?
        let error = unsafe heif_image_handle_get_nclx_color_profile(handle, &points)
        guard unsafe error.code == heif_error_Ok, let points = unsafe points else { return nil }
        defer { unsafe heif_nclx_color_profile_free(points) }
        return unsafe .ofHEIF(
            primaries: Int(points.pointee.color_primaries.rawValue),
            transfer: Int(points.pointee.transfer_characteristics.rawValue))
    }

    private var exif: Exif? {
        var id = heif_item_id()
        guard unsafe heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) == 1 else { return nil }
        let byteCount = unsafe heif_image_handle_get_metadata_size(handle, id)
        let block = unsafe data(byteCount) { unsafe heif_image_handle_get_metadata(handle, id, $0) }
        guard let block, block.count > 4 else { return nil }
        // The first four bytes contain the offset of the TIFF structure.
        let offset = block.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return Exif(Data(block.dropFirst(4).dropFirst(offset)))
    }

    private func data(_ byteCount: Int, fill: (UnsafeMutableRawPointer?) -> heif_error) -> Data? {
        guard byteCount > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let error = unsafe bytes.withUnsafeMutableBytes { unsafe fill($0.baseAddress) }
        return unsafe error.code == heif_error_Ok ? Data(bytes) : nil
    }
}

private func check(_ error: heif_error) throws(ImageError) {
    guard unsafe error.code != heif_error_Ok else { return }
    let kind: ImageError.Kind =
        switch unsafe error.code {
        case _ where unsafe error.subcode == heif_suberror_End_of_data: .incomplete
        case heif_error_Unsupported_filetype, heif_error_Unsupported_feature: .unsupported
        case heif_error_Memory_allocation_error: .overLimit
        default: .corrupt
        }
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "no reason given"
    throw ImageError(kind, .decode, "the HEIF cannot be decoded: \(message)")
}

extension MutableSpan<UInt8> {
    /// Makes all pixels opaque; libheif leaves the alpha channel undefined.
    fileprivate mutating func makeOpaque() {
        for index in stride(from: 3, to: count, by: 4) { self[index] = 255 }
    }

    /// Converts premultiplied colours to straight alpha.
    fileprivate mutating func unpremultiply() {
        for index in indices where index % 4 != 3 {
            let alpha = Int(self[index | 3])
            if alpha > 0 { self[index] = UInt8(min(255, (Int(self[index]) * 255 + alpha / 2) / alpha)) }
        }
    }
}

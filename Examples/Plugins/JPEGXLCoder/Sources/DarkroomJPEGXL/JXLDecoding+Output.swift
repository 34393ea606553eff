import CJXL
import DarkroomCore

extension JXLDecoding {
    /// Checks the memory that libjxl needs: four bytes per sample for each channel, of which there may be thousands. Valid
    /// only after the event of the basic header.
    func checkMemory(for request: DecodeRequest) throws(ImageError) {
        let header = basicInfo
        let size = PixelSize(Int(header.xsize), Int(header.ysize))
        guard size == request.info.storedSize else {
            throw ImageError(.internal, .decode, "the size of the JPEG XL differs from that of the request")
        }
        let (byteCount, overflow) = (size.byteCount ?? .max)
            .multipliedReportingOverflow(by: 4 + Int(header.num_extra_channels))
        try request.context.limits.check(decodedByteCount: overflow ? .max : byteCount)
    }

    /// Requests sRGB output, which libjxl honours for colours in its own colour space.
    func requestSRGB(for request: DecodeRequest) {
        var encoding = JxlColorEncoding()
        unsafe JxlColorEncodingSetToSRGB(&encoding, request.info.colorModel == .gray ? JXL_TRUE : JXL_FALSE)
        _ = unsafe JxlDecoderSetPreferredColorProfile(decoder, &encoding)
    }

    /// Has the pixels of the next frame written to `buffer`, which must live until the frame is complete.
    func setOutput(_ buffer: UnsafeMutableBufferPointer<UInt8>) throws(ImageError) {
        var format = JxlPixelFormat(
            num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        let status = unsafe JxlDecoderSetImageOutBuffer(decoder, &format, buffer.baseAddress, buffer.count)
        guard status == JXL_DEC_SUCCESS else {
            throw ImageError(.corrupt, .decode, "the size of a JPEG XL frame differs from its header")
        }
    }
}

extension MutableSpan<UInt8> {
    /// Makes all pixels opaque. An image without alpha may have other extra channels.
    mutating func makeOpaque() {
        for index in stride(from: 3, to: count, by: 4) { self[index] = 255 }
    }
}

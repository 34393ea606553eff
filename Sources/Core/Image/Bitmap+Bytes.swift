extension Bitmap {
    /// Creates a bitmap of `bytes`: 8-bit RGBA with straight alpha, in packed rows from the top.
    ///
    /// The colour of fully transparent pixels is set to zero. Premultiplied pixels must be divided by their alpha first.
    ///
    /// - Throws: An error of kind `unsupported` if the number of bytes is not that of `size`, or if `hasAlpha` is false and
    ///   an alpha byte is not 255; one of kind `overLimit` if `size` exceeds `limits`.
    public init(
        _ size: PixelSize, bytes: some Collection<UInt8>, hasAlpha: Bool = true, limits: DecodeLimits = .default
    ) throws {
        guard size.width > 0, size.height > 0, bytes.count == size.byteCount else {
            throw ImageError(
                .unsupported, .decode,
                "\(bytes.count) bytes are not the RGBA pixels of a bitmap of \(size), which has \(size.byteCount ?? 0)")
        }
        try self.init(size, hasAlpha: hasAlpha, limits: limits) { pixels in
            for (index, byte) in bytes.enumerated() {
                guard hasAlpha || index % 4 != 3 || byte == 255 else {
                    throw ImageError(
                        .unsupported, .decode,
                        "pixel (\(index / 4 % size.width), \(index / 4 / size.width)) of a bitmap without alpha has alpha \(byte)"
                    )
                }
                pixels[index] = byte
            }
        }
    }

    /// A copy of the pixels: RGBA with straight alpha, in packed rows from the top.
    public var bytes: [UInt8] { withPixels { pixels in pixels.indices.map { pixels[$0] } } }
}

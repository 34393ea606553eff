import CTIFF

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TIFFHandle {
    /// Reads the directory at `offset`, which becomes the current page. Returns false if it is invalid.
    func selectPage(at offset: UInt64) -> Bool { unsafe TIFFSetSubDirectory(tiff, offset) == 1 }

    /// Returns the value of a tag whose type is SHORT, or its default; `nil` if it has neither.
    func short(_ tag: CInt) -> Int? {
        var value: UInt16 = 0
        return unsafe ctiff_get_short(tiff, UInt32(tag), &value) ? Int(value) : nil
    }

    /// Returns the value of a tag whose type is LONG, or its default; `nil` if it has neither.
    func long(_ tag: CInt) -> Int? {
        var value: UInt32 = 0
        return unsafe ctiff_get_long(tiff, UInt32(tag), &value) ? Int(value) : nil
    }

    /// Returns the values of a tag with several of type SHORT; `nil` if it is missing.
    func shorts(_ tag: CInt) -> [Int]? {
        var count: UInt16 = 0
        var values: UnsafePointer<UInt16>?
        guard unsafe ctiff_get_shorts(tiff, UInt32(tag), &count, &values) else { return nil }
        return unsafe UnsafeBufferPointer(start: values, count: Int(count)).map { Int($0) }
    }

    /// Returns the bytes of a tag, at most `byteLimit`; `nil` if it is missing or longer.
    func bytes(_ tag: CInt, byteLimit: Int) -> Data? {
        var count: UInt32 = 0
        var bytes: UnsafeRawPointer?
        guard unsafe ctiff_get_bytes(tiff, UInt32(tag), &count, &bytes), count > 0, Int(count) <= byteLimit,
            let bytes = unsafe bytes
        else { return nil }
        return unsafe Data(bytes: bytes, count: Int(count))
    }

    /// Returns the `count` colours of the palette; `nil` if there is none.
    func palette(count: Int) -> [SIMD4<UInt8>]? {
        var red: UnsafePointer<UInt16>?
        var green: UnsafePointer<UInt16>?
        var blue: UnsafePointer<UInt16>?
        guard unsafe ctiff_get_palette(tiff, &red, &green, &blue), let red = unsafe red, let green = unsafe green,
            let blue = unsafe blue
        else { return nil }
        let channels = unsafe [red, green, blue].map { unsafe Array(UnsafeBufferPointer(start: $0, count: count)) }
        // Some programs write levels of 8 bits.
        let shift = channels.allSatisfy { $0.allSatisfy { $0 < 256 } } ? 0 : 8
        return (0..<count).map { index in
            let color = channels.map { UInt8($0[index] >> UInt16(shift)) }
            return SIMD4(color[0], color[1], color[2], 255)
        }
    }

    /// Sets the value of a tag of the page to be written.
    func set(_ tag: CInt, _ value: CInt) { unsafe _ = ctiff_set_number(tiff, UInt32(tag), UInt32(bitPattern: value)) }

    /// Sets the values of a tag of type SHORT.
    func set(_ tag: CInt, _ values: [UInt16]) {
        unsafe _ = ctiff_set_shorts(tiff, UInt32(tag), UInt16(clamping: values.count), values)
    }

    /// Sets the bytes of a tag.
    func set(_ tag: CInt, _ data: Data) {
        unsafe data.withUnsafeBytes { bytes in
            unsafe _ = ctiff_set_bytes(tiff, UInt32(tag), UInt32(clamping: bytes.count), bytes.baseAddress)
        }
    }
}

extension TIFFHandle {
    /// Lets libtiff convert the pixels of JPEGs to RGB. It must precede all questions about sizes of rows and tiles.
    func convertYCbCr() { set(TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) }
}

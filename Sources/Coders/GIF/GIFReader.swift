import CGif
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decompresses one frame of a GIF in memory with giflib, row by row.
@safe final class GIFReader {
    private let file: UnsafeMutablePointer<GifFileType>
    private let source: GIFSource
    private let frame: GIFFrame

    /// Opens a virtual file that consists of the header and `frame`.
    init(_ source: GIFSource, frame: GIFFrame) throws {
        guard !frame.area.isEmpty else { throw ImageError(.corrupt, .decode, "a frame of the GIF has no pixels") }
        self.source = source
        self.frame = frame
        // giflib keeps a pointer to `source`, so `source` must live as long as `file`.
        let user = unsafe Unmanaged.passUnretained(source).toOpaque()
        guard let file = unsafe DGifOpen(user, readGIFSource, nil) else { throw source.failure(reading: "header") }
        unsafe self.file = file
        var type = UNDEFINED_RECORD_TYPE
        try check(unsafe DGifGetRecordType(file, &type), reading: "block")
        try check(unsafe DGifGetImageHeader(file), reading: "frame")
    }

    deinit { _ = unsafe DGifCloseFile(file, nil) }

    /// Draws the frame on `pixels`, which represent `area` of the screen. Pixels that the frame does not cover stay
    /// unchanged.
    ///
    /// If the frame covers `area`, every pixel is written.
    func draw(
        on pixels: inout MutableSpan<UInt8>, area: PixelRectangle, checkCancellation: () throws -> Void
    ) throws {
        let (left, top) = (frame.area.x - area.x, frame.area.y - area.y)
        let visible = min(frame.area.width, area.width - left)
        let palette = try palette()
        var row = [UInt8](repeating: 0, count: frame.area.width)
        for y in rows {
            try checkCancellation()
            try check(unsafe DGifGetLine(file, &row, CInt(row.count)), reading: "frame")
            guard visible > 0, top + y < area.height else { continue }
            pixels.set(row.span.extracting(first: visible), from: palette, at: (top + y) * area.width + left)
        }
    }

    /// The row numbers in stored order.
    private var rows: [Int] {
        guard unsafe file.pointee.Image.Interlace else { return Array(0..<frame.area.height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: frame.area.height, by: step))
        }
    }

    /// Returns 256 pixels in memory order: zero for the transparent index, black for indices beyond the stored colours.
    private func palette() throws(ImageError) -> [UInt32] {
        guard let colors = unsafe file.pointee.Image.ColorMap ?? file.pointee.SColorMap else {
            throw ImageError(.corrupt, .decode, "the GIF has no colour table")
        }
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<min(unsafe Int(colors.pointee.ColorCount), 256) {
            let color = unsafe colors.pointee.Colors[index]
            palette[index] = UInt32(
                littleEndian: 0xFF00_0000 | UInt32(color.Blue) << 16 | UInt32(color.Green) << 8 | UInt32(color.Red))
        }
        if let index = frame.control.transparentIndex { palette[Int(index)] = 0 }
        return palette
    }

    private func check(_ result: CInt, reading part: String) throws {
        guard result == GIF_OK else { throw source.failure(reading: part) }
    }
}

extension MutableSpan<UInt8> {
    /// Writes the pixels that `indices` select from `palette`, which must have 256 entries, starting at pixel `start`.
    fileprivate mutating func set(_ indices: Span<UInt8>, from palette: [UInt32], at start: Int) {
        precondition(start >= 0 && (start + indices.count) * 4 <= count && palette.count == 256)
        unsafe withUnsafeMutableBytes { bytes in
            let target = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt32.self)
            guard let target = unsafe target.map({ unsafe $0 + start }) else { return }
            for x in indices.indices { unsafe target[x] = palette[Int(indices[x])] }
        }
    }
}

private func readGIFSource(
    _ file: UnsafeMutablePointer<GifFileType>?, _ bytes: UnsafeMutablePointer<GifByteType>?, _ count: CInt
) -> CInt {
    guard let user = unsafe file?.pointee.UserData, let bytes = unsafe bytes else { return 0 }
    // The reader that opened the file holds the source for as long as giflib may call this function.
    return unsafe CInt(Unmanaged<GIFSource>.fromOpaque(user).takeUnretainedValue().read(into: bytes, count: Int(count)))
}

extension GIFCoder {
    /// The underlying library and the version that this module was built with.
    public static var libraryVersions: [String: String] {
        ["giflib": "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"]
    }
}

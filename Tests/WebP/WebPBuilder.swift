import DarkroomCore
import FoundationEssentials
import TestSupport

/// Writes WebPs chunk by chunk, with the pixels of fixtures.
struct WebPBuilder {
    private var chunks: [UInt8]

    /// Creates a canvas with these flags: animation 2, Exif 8, alpha 16, profile 32.
    init(_ width: Int, _ height: Int, flags: UInt8) {
        chunks = []
        add("VP8X", [flags, 0, 0, 0] + bytes(of: width - 1, 3) + bytes(of: height - 1, 3))
    }

    /// The file.
    var data: Data { Data(Array("RIFF".utf8) + bytes(of: chunks.count + 4, 4) + Array("WEBP".utf8) + chunks) }

    mutating func add(_ name: String, _ payload: [UInt8]) {
        chunks += Array(name.utf8) + bytes(of: payload.count, 4) + payload + (payload.count % 2 == 1 ? [0] : [])
    }

    mutating func addLoop(_ count: Int, background: [UInt8] = [0, 0, 0, 0]) {
        add("ANIM", background + bytes(of: count, 2))
    }

    /// Appends a frame with the pixels of a fixture of `size`. Flag 1 clears it after display, flag 2 disables
    /// blending.
    mutating func addFrame(
        _ fixture: String, _ size: PixelSize, left: Int = 0, top: Int = 0, milliseconds: Int = 100, flags: UInt8 = 0
    ) {
        addFrame(
            pixels: pixels(of: fixture), PixelRectangle(x: left, y: top, width: size.width, height: size.height),
            milliseconds: milliseconds, flags: flags)
    }

    /// Appends a frame with the chunks `pixels`, at even coordinates.
    mutating func addFrame(pixels: [UInt8], _ area: PixelRectangle, milliseconds: Int = 100, flags: UInt8 = 0) {
        let place = bytes(of: area.x / 2, 3) + bytes(of: area.y / 2, 3)
        let extent = bytes(of: area.width - 1, 3) + bytes(of: area.height - 1, 3)
        add("ANMF", place + extent + bytes(of: milliseconds, 3) + [flags] + pixels)
    }

    /// Appends the pixels of a file that has no other chunks.
    mutating func addPixels(_ file: Data) { chunks += file.dropFirst(12) }

    private func pixels(of fixture: String) -> [UInt8] { [UInt8](Fixture(fixture).data.dropFirst(12)) }

    private func bytes(of number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

import DarkroomCore
import DarkroomPlatform

/// The height of an image whose frame header leaves it open. It follows the first scan, in a segment of its own (DNL; ITU-T
/// T.81, B.2.5).
///
/// libjpeg cannot read it there, so it gets the height in the frame header.
struct JPEGLateHeight {
    /// The number of rows, not 0.
    let height: Int

    /// The offset of the height in the file.
    private let offset: Int

    /// Finds the height after the scan before which `segments` has stopped. `offset` is that of the height in the frame
    /// header. Throws `incomplete` if it has not arrived.
    init(after segments: JPEGSegments, in request: InfoRequest, offset: Int) throws(ImageError) {
        let bytes = request.data.span
        // An end marker may be there although the file is truncated.
        let count = bytes.countBeforeEndMarker
        guard let marker = try segments.endOfScan(), marker + 6 <= count, bytes[marker + 1] != 0xD9 else {
            throw ImageError(.incomplete, .decode, "the JPEG file is truncated before its height")
        }
        height = Int(bytes[marker + 4]) << 8 | Int(bytes[marker + 5])
        guard bytes[marker + 1] == 0xDC, bytes[marker + 2] == 0, bytes[marker + 3] == 4, height > 0 else {
            throw ImageError(.corrupt, .decode, "the JPEG file has no height")
        }
        self.offset = offset
    }

    /// Writes the height into the frame header of `file`, the file or its start.
    func insert(into file: inout Data) {
        let start = file.startIndex + offset
        guard start + 2 <= file.endIndex else { return }
        file[start] = UInt8(height >> 8)
        file[start + 1] = UInt8(height & 255)
    }
}

extension DecodeRequest {
    /// The height, if it follows the first scan.
    var lateHeight: JPEGLateHeight? { (try? outline(JPEGHeader.init))?.lateHeight }
}

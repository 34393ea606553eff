#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Data {
    /// Returns a copy of this file of libavif in which the times of writing are zero, which means unknown (ISO/IEC 14496-12,
    /// 8.2.2), so that equal animations are equal files.
    func withoutTimes() -> Data {
        var file = self
        var position = 0
        while position + 32 <= file.count {
            let size = file[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
            switch String(decoding: file[(position + 4)..<(position + 8)], as: UTF8.self) {
            case "moov", "trak", "mdia":
                // Its boxes are next.
                position += 8
            case "mvhd", "tkhd", "mdhd":
                // After the version come two times, of eight bytes each in version 1.
                let byteCount = file[position + 8] == 1 ? 16 : 8
                file.replaceSubrange((position + 12)..<(position + 12 + byteCount), with: Data(count: byteCount))
                position += Swift.max(size, 8)
            default: position += Swift.max(size, 8)
            }
        }
        return file
    }
}

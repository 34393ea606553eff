import Foundation

/// A builder of TIFF structures: a main directory at 8, and others that it links to.
struct TIFFBuilder {
    /// A tag and its value.
    enum Entry {
        case short(Int, Int)
        case long(Int, Int)
        case text(Int, String)
        /// Returns the offset of the additional directory at `index`.
        case directory(Int, Int)
    }

    var main: [Entry]
    var others: [[Entry]] = []

    func data(isLittleEndian: Bool) -> Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        let directories = [main] + others
        var starts: [Int] = []
        var end = 8
        for directory in directories {
            starts.append(end)
            end += 2 + directory.count * 12 + 4
        }
        var texts: [UInt8] = []
        var file = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + bytes(42, 2) + bytes(8, 4)
        for directory in directories {
            file += bytes(directory.count, 2)
            for entry in directory {
                switch entry {
                case .short(let tag, let value):
                    file += bytes(tag, 2) + bytes(3, 2) + bytes(1, 4) + bytes(value, 2) + [0, 0]
                case .long(let tag, let value): file += bytes(tag, 2) + bytes(4, 2) + bytes(1, 4) + bytes(value, 4)
                case .text(let tag, let text):
                    file += bytes(tag, 2) + bytes(2, 2) + bytes(text.utf8.count + 1, 4) + bytes(end + texts.count, 4)
                    texts += Array(text.utf8) + [0]
                case .directory(let tag, let index):
                    file += bytes(tag, 2) + bytes(4, 2) + bytes(1, 4) + bytes(starts[index + 1], 4)
                }
            }
            file += bytes(0, 4)
        }
        return Data(file + texts)
    }
}

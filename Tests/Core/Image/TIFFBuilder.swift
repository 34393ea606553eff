import Foundation

/// A builder of TIFF structures: a main directory at 8, and others that it links to.
struct TIFFBuilder {
    /// A tag and its value.
    enum Entry {
        case short(Int, Int)
        case long(Int, Int)
        case text(Int, String)
        /// The offset of the other directory at this index.
        case directory(Int, Int)
    }

    var main: [Entry]
    var others: [[Entry]] = []

    func data(isLittleEndian: Bool) -> Data {
        func bytes(of number: Int, count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        func short(_ number: Int) -> [UInt8] { bytes(of: number, count: 2) }
        func long(_ number: Int) -> [UInt8] { bytes(of: number, count: 4) }
        let directories = [main] + others
        var starts: [Int] = []
        var end = 8
        for directory in directories {
            starts.append(end)
            end += 2 + directory.count * 12 + 4
        }
        var texts: [UInt8] = []
        var file = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + short(42) + long(8)
        for directory in directories {
            file += short(directory.count)
            for entry in directory {
                switch entry {
                case .short(let tag, let value):
                    file += short(tag) + short(3) + long(1) + short(value) + [0, 0]
                case .long(let tag, let value): file += short(tag) + short(4) + long(1) + long(value)
                case .text(let tag, let text):
                    file += short(tag) + short(2) + long(text.utf8.count + 1) + long(end + texts.count)
                    texts += Array(text.utf8) + [0]
                case .directory(let tag, let index):
                    file += short(tag) + short(4) + long(1) + long(starts[index + 1])
                }
            }
            file += long(0)
        }
        return Data(file + texts)
    }
}

import DarkroomCore
import FoundationEssentials

/// The contents of the blocks of a complete GIF, parsed independently of the coder's outline.
struct GIFBlocks {
    struct Frame {
        let area: PixelRectangle
        let hasOwnColors: Bool
        let disposal: Int
    }

    private(set) var frames: [Frame] = []
    private(set) var hasCommonColors = false
    /// The stored loop count; `nil` if absent.
    private(set) var loopCount: Int?

    init(_ data: Data) {
        let bytes = [UInt8](data)
        func number(_ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
        func colorBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        var index = 13 + colorBytes(bytes[10])
        var disposal = 0
        hasCommonColors = index > 13
        while bytes[index] != 0x3B {
            if bytes[index] == 0x2C {
                let area = PixelRectangle(
                    x: number(index + 1), y: number(index + 3), width: number(index + 5), height: number(index + 7))
                let own = colorBytes(bytes[index + 9])
                frames.append(Frame(area: area, hasOwnColors: own > 0, disposal: disposal))
                index += 11 + own
            } else {
                if bytes[index + 1] == 0xF9 { disposal = Int(bytes[index + 3] >> 2 & 7) }
                if bytes[index + 1] == 0xFF { loopCount = number(index + 16) }
                index += 2
            }
            while bytes[index] > 0 { index += Int(bytes[index]) + 1 }
            index += 1
        }
    }
}

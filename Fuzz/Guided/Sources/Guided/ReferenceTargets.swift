import CReference
import DarkroomCore
import DarkroomPNG
@testable import DarkroomTestKit
import FoundationEssentials

extension FuzzTarget {
    /// Files that the library and its reference decode, with pixels compared.
    static let differences: [FuzzTarget] = [
        FuzzTarget("png-reference") { input in
            var bytes = input.bytes
            guard bytes.first == 0x89 else { return }
            PNGChecksums.mend(&bytes)
            let image = try CoderRegistry([PNGCoder()]).decode(
                Data(bytes), context: ImageContext { $0.limits = .forTrials })
            // libpng rounds 16 bits to 8 differently.
            guard !hasMore(bytes), bytes[24] <= 8 else { return }
            let size = image.info.storedSize
            guard let byteCount = size.byteCount else { return }
            var expected = [UInt8](repeating: 0, count: byteCount)
            let isRead = unsafe expected.withUnsafeMutableBufferPointer { pixels in
                unsafe bytes.withUnsafeBufferPointer { file in
                    unsafe reference_png(
                        file.baseAddress, file.count, UInt32(size.width), UInt32(size.height), pixels.baseAddress)
                }
            }
            guard isRead != 0 else { return }
            let pixels = image.bitmap.withPixels { pixels in pixels.indices.map { pixels[$0] } }
            for start in stride(from: 0, to: pixels.count, by: 4) where expected[start + 3] == 0 {
                // Our transparent pixels have no colour.
                for index in start..<start + 3 { expected[index] = 0 }
            }
            demand(pixels == expected, "\(size) decodes to other pixels than with libpng")
        }
    ]

    /// Whether a file has a chunk about colours, which libpng converts in another way, or one that libpng does not know.
    private static func hasMore(_ bytes: [UInt8]) -> Bool {
        let names = ["gAMA", "cHRM", "iCCP", "sRGB", "cICP", "sBIT", "eXIf", "acTL"].map { Array($0.utf8) }
        return bytes.indices.dropLast(3).contains { names.contains(Array(bytes[$0..<$0 + 4])) }
    }
}

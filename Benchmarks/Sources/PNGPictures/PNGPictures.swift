import CReference
import DarkroomCore
import DarkroomPNG
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Decodes PNG files and makes PNG thumbnails of 256×256, alternately with Darkroom and with plain loops over libpng.
///
/// `png-pictures FILE...` prints the CPU time of both in milliseconds and the sizes of the thumbnails. libpng encodes
/// with its default settings, but gets Darkroom's pixels: both columns include the same time for resizing.
///
/// `png-pictures memory FILE` prints the peak memory of making a thumbnail of 180×120, above the memory of the process
/// and the file before.
@main
enum PNGPictures {
    private static let roundCount = 7
    private static let coders = CoderRegistry([PNGCoder()])

    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else { fatalError("usage: png-pictures [memory] FILE...") }
        guard paths.first != "memory" else { return try paths.dropFirst().forEach(printPeak) }
        print(
            "CPU ms, medians of \(roundCount) rounds: decode Darkroom, C, ratio; 256×256 Darkroom, C, ratio; bytes of both"
        )
        for path in paths { try measure(path) }
    }

    private static func measure(_ path: String) throws {
        let file = try Data(contentsOf: URL(filePath: path))
        let context = ImageContext { $0.thumbnail = .fit(256, 256) }
        let whole = try coders.decode(file)
        let target = try coders.decode(file, context: context).size
        var times: [[Double]] = Array(repeating: [], count: 4)
        var (small, plainByteCount) = (Data(), 0)
        for _ in 0..<roundCount {
            times[0].append(try cpuMilliseconds { _ = try coders.decode(file) })
            times[1].append(cpuMilliseconds { unsafe free(decoded(file)) })
            times[2].append(
                try cpuMilliseconds { small = try coders.encode(coders.decode(file, context: context), as: .png) })
            times[3].append(
                try cpuMilliseconds {
                    unsafe free(decoded(file))
                    plainByteCount = encodedByteCount(try whole.bitmap.resized(to: target))
                })
        }
        let (decode, plainDecode, shrink, plainShrink) = (
            times[0].median, times[1].median, times[2].median, times[3].median
        )
        let columns = [
            decode, plainDecode, decode / plainDecode, shrink, plainShrink, shrink / plainShrink, Double(small.count),
            Double(plainByteCount),
        ]
        print(path, columns.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: "  "), separator: "  ")
    }

    private static func printPeak(_ path: String) throws {
        let file = try Data(contentsOf: URL(filePath: path))
        let context = ImageContext {
            $0.thumbnail = .fit(180, 120)
            $0.limits.pixelCount = .max
            $0.limits.workTime = .seconds(600)
        }
        let floor = try ResidentMemory().current
        let milliseconds = try cpuMilliseconds { _ = try coders.decode(file, context: context) }
        print("\(path): \(try ResidentMemory().peak - floor) KiB above the floor, \(milliseconds.rounded()) CPU ms")
    }

    private static func decoded(_ file: Data) -> UnsafeMutablePointer<UInt8>? {
        unsafe file.withUnsafeBytes { bytes in
            unsafe reference_decode_png(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
    }

    private static func encodedByteCount(_ bitmap: Bitmap) -> Int {
        bitmap.withPixels { pixels in
            unsafe pixels.withUnsafeBufferPointer { bytes in
                unsafe reference_encode_png(
                    bytes.baseAddress, UInt32(bitmap.size.width), UInt32(bitmap.size.height), bitmap.hasAlpha ? 1 : 0)
            }
        }
    }
}

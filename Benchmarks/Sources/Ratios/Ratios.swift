import CReference
import DarkroomCore
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

/// Decodes the photograph with Darkroom and with plain C alternately, and prints both CPU times: `ratios [ROUNDS]`.
@main
enum Ratios {
    static func main() throws {
        let roundCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
        let photograph = try Photograph()
        print("full decode, CPU ms, medians of \(roundCount) rounds: Darkroom, C, ratio")
        for format in Photograph.formats {
            let file = try photograph.file(of: format)
            guard try isSame(file, as: format) else {
                fatalError("C and Darkroom decode \(format) to different pixels")
            }
            var (ours, plain): ([Double], [Double]) = ([], [])
            for _ in 0..<roundCount {
                ours.append(try cpuMilliseconds { _ = try Photograph.coders.decode(file) })
                plain.append(cpuMilliseconds { unsafe withReference(of: file, format: format) { _ in } })
            }
            let columns = [ours.median, plain.median, ours.median / plain.median].map { rounded($0) }
            print(format, columns.joined(separator: "  "), separator: "  ")
        }
    }

    /// Whether both decode to the same pixels. If not, the times are not comparable.
    private static func isSame(_ file: Data, as format: ImageFormat) throws -> Bool {
        let bitmap = try Photograph.coders.decode(file).bitmap
        return unsafe withReference(of: file, format: format) { pixels in
            guard let pixels = unsafe pixels else { return false }
            return bitmap.withPixels { span in
                unsafe span.withUnsafeBytes { unsafe memcmp($0.baseAddress!, pixels, $0.count) == 0 }  // never empty
            }
        }
    }

    /// Calls `body` with the result of decoding `file` in C.
    private static func withReference<Result>(
        of file: Data, format: ImageFormat, _ body: (UnsafeMutablePointer<UInt8>?) -> Result
    ) -> Result {
        unsafe file.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let pixels =
                switch format {
                case .png: unsafe reference_decode_png(start, bytes.count)
                case .jpeg: unsafe reference_decode_jpeg(start, bytes.count)
                case .gif: unsafe reference_decode_gif(start, bytes.count)
                default: unsafe reference_decode_webp(start, bytes.count)
                }
            defer { unsafe free(pixels) }
            return unsafe body(pixels)
        }
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

import DarkroomCore
import DarkroomJPEG
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes thumbnails of JPEG files, of a sixteenth and an eighth of their size, alternately with and without libjpeg. It
/// decodes them at an eighth and a quarter.
///
/// `jpeg-thumbnails FILE...` prints the CPU time of both in milliseconds, and their ratio. The times include resizing by
/// one half. The pixels must be the same.
@main
enum JPEGThumbnails {
    private static let roundCount = 9

    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else { throw Failure("usage: jpeg-thumbnails FILE...") }
        print("CPU ms, medians of \(roundCount) rounds: libjpeg, without it, ratio")
        for divisor in [16, 8] {
            print("1/\(divisor) of the size:")
            let ratios = try paths.map { try measure($0, divisor) }
            print("median ratio of \(ratios.count) files: \(rounded(ratios.median))")
        }
    }

    private static func measure(_ path: String, _ divisor: Int) throws -> Double {
        let file = try Data(contentsOf: URL(filePath: path))
        let info = try JPEGCoder().info(of: file)
        let target = PixelSize(max(1, info.storedSize.width / divisor), max(1, info.storedSize.height / divisor))
        let request = DecodeRequest(data: file, info: info, target: target)
        var libjpeg = JPEGCoder()
        libjpeg.bypassesLibjpeg = false
        guard try JPEGCoder().decode(request) == libjpeg.decode(request) else {
            throw Failure("the pixels of \(path) differ")
        }
        var (plain, ours, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<roundCount {
            plain.append(try cpuMilliseconds { _ = try libjpeg.decode(request) })
            ours.append(try cpuMilliseconds { _ = try JPEGCoder().decode(request) })
            ratios.append(plain[plain.count - 1] / ours[ours.count - 1])
        }
        print(path, [plain, ours, ratios].map { rounded($0.median) }.joined(separator: "  "), separator: "  ")
        return ratios.median
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

/// Why there is no result.
private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

import DarkroomCore
import DarkroomJPEG
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes thumbnails of JPEG files, of a sixteenth of their size, alternately with and without libjpeg.
///
/// `jpeg-eighths FILE...` prints the CPU time of both in milliseconds, and their ratio. The times include resizing by one
/// half. The pixels must be the same.
@main
enum JPEGEighths {
    private static let roundCount = 9

    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else { fatalError("usage: jpeg-eighths FILE...") }
        print("CPU ms, medians of \(roundCount) rounds: libjpeg, without it, ratio")
        let ratios = try paths.map(measure)
        print("median ratio of \(ratios.count) files: \(rounded(ratios.median))")
    }

    private static func measure(_ path: String) throws -> Double {
        let file = try Data(contentsOf: URL(filePath: path))
        var libjpeg = JPEGCoder()
        libjpeg.bypassesLibjpeg = false
        guard try thumbnail(of: file, JPEGCoder()) == thumbnail(of: file, libjpeg) else {
            fatalError("the pixels of \(path) differ")
        }
        var (plain, ours, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<roundCount {
            plain.append(try cpuMilliseconds { _ = try thumbnail(of: file, libjpeg) })
            ours.append(try cpuMilliseconds { _ = try thumbnail(of: file, JPEGCoder()) })
            ratios.append(plain[plain.count - 1] / ours[ours.count - 1])
        }
        print(path, [plain, ours, ratios].map { rounded($0.median) }.joined(separator: "  "), separator: "  ")
        return ratios.median
    }

    private static func thumbnail(of file: Data, _ coder: JPEGCoder) throws -> Bitmap {
        let info = try coder.info(of: file)
        let target = PixelSize(max(1, info.storedSize.width / 16), max(1, info.storedSize.height / 16))
        return try coder.decode(DecodeRequest(data: file, info: info, target: target))
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

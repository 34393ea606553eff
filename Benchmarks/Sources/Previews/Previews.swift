import DarkroomCore
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes images progressively in 64 pieces and in one piece alternately, and prints both CPU times: `previews
/// FILE...`.
@main
enum Previews {
    private static let roundCount = 7
    private static let pieceCount = 64

    static func main() throws {
        print("\(pieceCount) pieces against plain decode, CPU ms, medians of \(roundCount) rounds; previews")
        for path in CommandLine.arguments.dropFirst() {
            let file = try Data(contentsOf: URL(filePath: path))
            var (fed, plain): ([Double], [Double]) = ([], [])
            var previewCount = 0
            for _ in 0..<roundCount {
                fed.append(try cpuMilliseconds { previewCount = try feed(file) })
                plain.append(try cpuMilliseconds { _ = try Photograph.coders.decode(file) })
            }
            let ratio = (fed.median / plain.median * 100).rounded() / 100
            print(path, fed.median.rounded(), plain.median.rounded(), ratio, previewCount, separator: "  ")
        }
    }

    /// Returns the number of previews.
    private static func feed(_ file: Data) throws -> Int {
        guard let coder = try Photograph.coders.coder(for: file) as? any ProgressiveImageCoder else { return 0 }
        var decoder = try coder.makePreviewDecoder(DecodeRequest(data: file, info: try coder.info(of: file)))
        var previewCount = 0
        let pieceByteCount = (file.count + pieceCount - 1) / pieceCount
        for start in stride(from: 0, to: file.count, by: pieceByteCount) {
            let piece = file.dropFirst(start).prefix(pieceByteCount)
            if try decoder.append(piece) != nil { previewCount += 1 }
        }
        _ = try decoder.finish()
        return previewCount
    }
}

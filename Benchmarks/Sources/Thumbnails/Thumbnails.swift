import DarkroomCore
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Measures the main task: `thumbnails FILE COUNT` prints its CPU time in milliseconds, `thumbnails FILE memory` its
/// memory.
@main
enum Thumbnails {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fatalError("usage: thumbnails FILE COUNT|memory") }
        let file = try Data(contentsOf: URL(filePath: arguments[1]))
        if let count = Int(arguments[2]), count > 0 {
            print(try milliseconds(file, count: count))
        } else {
            print("\(try peakKibibytes(file)) KiB above the floor")
        }
    }

    /// Returns the CPU time per thumbnail, not counting the first one.
    private static func milliseconds(_ file: Data, count: Int) throws -> Double {
        _ = try Photograph.coders.measuredThumbnail(of: file)
        return try cpuMilliseconds {
            for _ in 0..<count { _ = try Photograph.coders.measuredThumbnail(of: file) }
        } / Double(count)
    }

    /// Returns the peak resident memory of making one thumbnail, above the memory of the process and `file` before.
    private static func peakKibibytes(_ file: Data) throws -> Int {
        let floor = try ResidentMemory().current
        _ = try Photograph.coders.measuredThumbnail(of: file)
        return try ResidentMemory().peak - floor
    }
}

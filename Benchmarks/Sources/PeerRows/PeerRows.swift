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

/// Darkroom's part in `Scripts/compare-peers`: `peer-rows ROW FILE...` performs the row's work on all files for each
/// line of input.
///
/// For an empty line it prints the CPU time in milliseconds and the number of bytes produced; `write FOLDER` also
/// writes the results there. `threads COUNT` prints the wall-clock time in milliseconds of complete loads on that many
/// threads. `peak` prints the memory in KiB that the second file needs above the memory held after the first. `resident
/// COUNT` prints the memory in KiB held after that many loads.
@main
enum PeerRows {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let row = arguments.first.flatMap(Row.named), arguments.count > 1 else {
            fatalError("usage: peer-rows \(Row.names.joined(separator: "|")) FILE...")
        }
        let files = try arguments.dropFirst().map { try Data(contentsOf: URL(filePath: $0)) }
        let inputs = try files.map(row.prepare)
        let loads = Loads(files)
        while let line = readLine() {
            let words = line.split(separator: " ")
            let count = words.dropFirst().first.flatMap { Int($0) } ?? 1
            switch words.first {
            case "threads": report(try await loads.milliseconds(threadCount: count))
            case "resident": report(try await loads.residentKibibytes(after: count))
            case "peak": report(try await peakKibibytes(of: row, inputs: inputs))
            default: try await measure(row, inputs: inputs, folder: words.dropFirst().first.map(String.init))
            }
        }
    }

    private static func measure(_ row: Row, inputs: [Row.Input], folder: String?) async throws {
        var made: [Row.Output] = []
        let milliseconds = try await cpuMilliseconds {
            for input in inputs { made.append(try await row.work(input)) }
        }
        if let folder {
            for (index, output) in made.enumerated() { try output.data.write(to: URL(filePath: "\(folder)/\(index)")) }
        }
        report(milliseconds, byteCount: made.reduce(0) { $0 + $1.byteCount })
    }

    /// Returns the peak memory for the last file, after the first one has established the baseline of the process.
    private static func peakKibibytes(of row: Row, inputs: [Row.Input]) async throws -> Double {
        _ = try await row.work(inputs[0])
        try ResidentMemory.resetPeak()
        let floor = try ResidentMemory().current
        _ = try await row.work(inputs[inputs.count - 1])
        return Double(try ResidentMemory().peak - floor)
    }

    private static func report(_ value: Double, byteCount: Int = 0) {
        print(value, byteCount)
        fflush(nil)
    }
}

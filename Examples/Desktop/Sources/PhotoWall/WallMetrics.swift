public import DarkroomCore
import FoundationEssentials

/// Prints a line for each load that has ended.
public struct WallMetrics: LoadObserver {
    private let write: @Sendable (String) -> Void

    /// Creates an observer that passes its lines to `write`.
    public init(_ write: @escaping @Sendable (String) -> Void = { print($0) }) { self.write = write }

    /// Prints the record.
    public func loadEnded(_ record: LoadRecord) {
        let name = record.url.lastPathComponent
        let milliseconds = record.duration.milliseconds
        switch record.result {
        case .success(let result):
            write("\(name): \(milliseconds) ms, \(result.image.size) from \(result.origin.rawValue); \(result.report)")
        case .failure(let error) where error.kind == .cancelled: break
        case .failure(let error): write("\(name): \(milliseconds) ms, \(error.message)")
        }
    }
}

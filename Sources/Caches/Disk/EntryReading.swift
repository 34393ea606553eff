import DarkroomCore

/// The result of reading an entry if there is memory for it now.
enum EntryReading<Result: Sendable>: Sendable {
    case finished(Result)
    case lacksMemory(byteCount: Int)

    /// Converts the result.
    func map<Other>(_ transform: (Result) -> Other) -> EntryReading<Other> {
        switch self {
        case .finished(let result): .finished(transform(result))
        case .lacksMemory(let byteCount): .lacksMemory(byteCount: byteCount)
        }
    }

    /// Calls `read` again after each wait for the memory that it lacks.
    static func result(of read: (EntryMemory) async throws -> EntryReading) async throws -> Result {
        let memory = EntryMemory.current
        while true {
            switch try await read(memory) {
            case .finished(let result): return result
            case .lacksMemory(let byteCount): try await memory.reserve(byteCount)
            }
        }
    }
}

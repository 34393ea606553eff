/// The result of reading an entry if there is memory for it now.
package enum EntryReading<Result: Sendable>: Sendable {
    case finished(Result)
    case lacksMemory(byteCount: Int)

    /// Converts the result.
    package func map<Other>(_ transform: (Result) -> Other) -> EntryReading<Other> {
        switch self {
        case .finished(let result): .finished(transform(result))
        case .lacksMemory(let byteCount): .lacksMemory(byteCount: byteCount)
        }
    }

    /// Returns the result. Throws the error of ``EntryMemory/reserve(_:)`` in a shared cache if there is none.
    package func get() throws(ImageError) -> Result {
        switch self {
        case .finished(let result): return result
        case .lacksMemory(let byteCount): throw .noMemory(forEntryOf: byteCount)
        }
    }

    /// Returns the result of `read`, which is called again after each wait for the `memory` that it lacks.
    package static func result(
        in memory: EntryMemory = .current, of read: (EntryMemory) async throws -> EntryReading
    ) async throws -> Result {
        while true {
            switch try await read(memory) {
            case .finished(let result): return result
            case .lacksMemory(let byteCount): try await memory.reserve(byteCount)
            }
        }
    }

    /// Returns the result of `read`, or the lack of memory of which a shared cache throws the error.
    package static func catchingShortage(_ read: () async throws -> Result) async throws -> EntryReading {
        do {
            return .finished(try await read())
        } catch let error as ImageError {
            guard let shortage = error.underlying as? MemoryShortage else { throw error }
            return .lacksMemory(byteCount: shortage.byteCount)
        }
    }
}

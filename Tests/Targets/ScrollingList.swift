@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import TestSupport

/// A list with more rows than cells: a row that appears reuses the cell of one that has disappeared.
@MainActor
final class ScrollingList {
    let cells: [Cell]
    private let rows: [URL]
    private var shown: [Int: Cell] = [:]
    private let completions = Recorder<Int>()
    private var begun = 0

    /// Creates a list of `rows`, of which `height` are visible at a time.
    init(_ manager: ImageManager, rows: [URL], height: Int) {
        self.rows = rows
        cells = (0..<height).map { _ in Cell(manager) }
    }

    /// Scrolls to the row `first`.
    func scroll(to first: Int, onEvent: ((Int, LoadEvent) -> Void)? = nil) {
        let visible = first..<min(first + cells.count, rows.count)
        shown = shown.filter { visible.contains($0.key) }
        for row in visible where shown[row] == nil {
            guard let cell = cells.first(where: { cell in !shown.values.contains { $0 === cell } }) else { return }
            shown[row] = cell
            begun += 1
            cell.setImage(rows[row], placeholder: Pictures.placeholder) { [completions] _ in
                completions.note(row)
            } onEvent: {
                onEvent?(row, $0)
            }
        }
    }

    /// Returns the cell that shows `row`.
    func cell(_ row: Int) -> Cell? { shown[row] }

    /// Returns once every load that was started has ended.
    func settled() async { await completions.waitForValues(begun) }
}

/// The main queue, recognizable from the code that runs on it.
enum MainQueue {
    private static let key = DispatchSpecificKey<Void>()

    /// Makes the main queue recognizable.
    static func mark() { DispatchQueue.main.setSpecific(key: key, value: ()) }

    /// Whether the current queue is the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }
}

/// A data cache that records its calls, and whether they were on the main queue.
struct NotingDataCache: DataCacheWrapper {
    let base = FakeDataCache()
    let notes: Recorder<String>
    /// Suspends stores until the gate is open.
    var storing = Gate()

    private func note(_ what: String) { notes.note(MainQueue.isCurrent ? "\(what) on main" : what) }

    func entry(for key: CacheKey) async throws -> DataEntry? {
        note("disk")
        return try await base.entry(for: key)
    }

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        note("store")
        await storing.wait()
        try await base.store(entry, for: key, with: ticket)
    }
}

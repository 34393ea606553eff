@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import TestSupport

/// A list of more rows than cells: a row that comes into view gets the cell of one that has left.
@MainActor
final class ScrollingList {
    let cells: [Cell]
    private let rows: [URL]
    private var shown: [Int: Cell] = [:]
    private let completions = Recorder<Int>()
    private var begun = 0

    /// A list of `rows`, of which `height` are in view at a time.
    init(_ manager: ImageManager, rows: [URL], height: Int) {
        self.rows = rows
        cells = (0..<height).map { _ in Cell(manager) }
    }

    /// Brings the rows from `first` on into view.
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

    /// The cell that shows `row`.
    func cell(_ row: Int) -> Cell? { shown[row] }

    /// Returns when every load that was begun has been answered.
    func settled() async { await completions.reached(begun) }
}

/// Where something happens.
enum Place {
    private static let mark = DispatchSpecificKey<Void>()

    /// Makes the main queue known.
    static func markMain() { DispatchQueue.main.setSpecific(key: mark, value: ()) }

    /// Whether this runs where the targets are.
    static var isMain: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}

/// Notes who is asked, and whether that was on the main queue.
struct NotingDataCache: DataCache {
    let base = FakeDataCache()
    let notes: Recorder<String>
    /// Holds up what is to be kept.
    var storing = Gate()

    private func note(_ what: String) { notes.note(Place.isMain ? "\(what) on main" : what) }

    func entry(for key: CacheKey) async throws -> DataEntry? {
        note("disk")
        return try await base.entry(for: key)
    }

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        note("store")
        await storing.wait()
        try await base.store(entry, for: key)
    }

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.update(metadata, for: key)
    }

    func contains(_ key: CacheKey) async throws -> Bool { try await base.contains(key) }
    func remove(_ key: CacheKey) async throws { try await base.remove(key) }
    func removeAll(ofSource source: String) async throws { try await base.removeAll(ofSource: source) }
    func removeAll() async throws { try await base.removeAll() }
}

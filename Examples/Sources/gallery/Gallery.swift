import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A scrolling list of images, with as many cells as rows fit into the terminal. Cells are reused as rows scroll out of
/// view.
@MainActor
final class Gallery {
    private let sources: [Source]
    private let manager: ImageManager
    private let prefetcher: Prefetcher
    private let renderer: any TerminalRenderer
    private var layout: GalleryLayout
    private var cells: [GalleryCell] = []
    private var shown: [Int: GalleryCell] = [:]
    private var top = 0
    private var prefetching: Task<Void, Never>?

    /// The selected row.
    private(set) var selected = 0

    /// Called when the frame has changed.
    var onChange: () -> Void = {}

    init(_ sources: [Source], manager: ImageManager, renderer: any TerminalRenderer, layout: GalleryLayout) {
        self.sources = sources
        self.manager = manager
        self.renderer = renderer
        self.layout = layout
        prefetcher = Prefetcher(manager, loadLimit: 2)
        fill()
    }

    /// The number of cells.
    var cellCount: Int { cells.count }

    /// The number of visible rows that are still loading.
    var loadingCount: Int { shown.values.count(where: \.isLoading) }

    /// Performs the action of `key`.
    func handle(_ key: Key) {
        switch key {
        case .up: select(selected - 1)
        case .down: select(selected + 1)
        case .pageUp: select(selected - layout.rowCount)
        case .pageDown: select(selected + layout.rowCount)
        case .first: select(0)
        case .last: select(sources.count - 1)
        case .redraw, .quit: break
        }
    }

    /// Adapts to a new terminal size. The size of the images changes, so all of them are reloaded.
    func resize(to terminal: TerminalSize) {
        guard terminal != layout.terminal else { return }
        end()
        layout = layout.resized(to: terminal)
        (cells, shown) = ([], [:])
        fill()
    }

    /// Cancels all loads.
    func end() {
        prefetching?.cancel()
        for cell in cells { cell.end() }
    }

    /// The lines to show in the terminal.
    var frame: [String] {
        var lines: [String] = []
        for row in top..<(top + layout.rowCount) {
            let blank = Array(repeating: "", count: layout.rowHeight)
            lines += shown[row]?.lines(isSelected: row == selected) ?? blank
        }
        let count = layout.terminal.rows - 1
        lines = Array(lines.prefix(count)) + Array(repeating: "", count: max(0, count - lines.count))
        return lines + ["\u{1B}[7m" + status.fitted(to: layout.terminal.columns) + "\u{1B}[0m"]
    }

    private var status: String {
        let last = min(top + layout.rowCount, sources.count)
        let loading = loadingCount > 0 ? ", \(loadingCount) loading" : ""
        return " \(min(top + 1, last))–\(last) of \(sources.count)\(loading), \(cells.count) cells   j k space b g G q"
    }

    private func select(_ row: Int) {
        selected = max(0, min(row, sources.count - 1))
        fill()
    }

    /// Scrolls the selected row into view, and reuses the cells of rows that left it.
    private func fill() {
        top = max(0, min(max(top, selected - layout.rowCount + 1), selected))
        let visible = top..<min(top + layout.rowCount, sources.count)
        for (row, cell) in shown where !visible.contains(row) {
            cell.end()
            shown[row] = nil
        }
        for row in visible where shown[row] == nil {
            let cell = unusedCell()
            shown[row] = cell
            cell.begin(sources[row])
        }
        prefetch(after: visible)
        onChange()
    }

    private func unusedCell() -> GalleryCell {
        if let cell = cells.first(where: { cell in !shown.values.contains { $0 === cell } }) { return cell }
        let cell = GalleryCell(manager: manager, renderer: renderer, layout: layout) { [weak self] in self?.onChange() }
        cells.append(cell)
        return cell
    }

    /// Prefetches the rows that follow. The previous prefetch is cancelled.
    private func prefetch(after visible: Range<Int>) {
        prefetching?.cancel()
        let next = sources[visible.upperBound...].prefix(layout.rowCount).compactMap(\.url)
        let list = prefetcher.prefetch(next, context: ImageContext { $0.thumbnail = layout.thumbnail })
        prefetching = Task {
            for await _ in list {}
        }
    }
}

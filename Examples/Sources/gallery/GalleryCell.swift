import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A reusable cell that shows one row of the gallery at a time.
@MainActor
final class GalleryCell: ImageTarget {
    let imageSlots: ImageSlots
    private let renderer: any TerminalRenderer
    private let layout: GalleryLayout
    private let onChange: () -> Void
    private var source: Source?
    private var imageLines: [String] = []
    private var imageColumns = 0
    private var status = ""

    /// Whether an image is loading.
    var isLoading: Bool { imageState().isLoading }

    init(
        manager: ImageManager, renderer: any TerminalRenderer, layout: GalleryLayout, onChange: @escaping () -> Void
    ) {
        imageSlots = ImageSlots(manager)
        self.renderer = renderer
        self.layout = layout
        self.onChange = onChange
        imageSlots.indicator = CellIndicator()
    }

    /// Loads `source` and shows it in place of the previous row.
    func begin(_ source: Source) {
        self.source = source
        status = "waiting"
        setImage(source.url, context: ImageContext { $0.thumbnail = layout.thumbnail }) { [weak self] result in
            self?.show(result)
        }
    }

    /// Clears the cell, and cancels its load.
    func end() {
        cancelImageLoad()
        source = nil
    }

    func show(_ content: SlotContent, in slot: String) {
        let rendered = content.image.map { renderer.render($0.bitmap, number: 0, on: layout.terminal) }
        imageLines = rendered?.text.split(separator: "\r\n").map(String.init) ?? []
        imageColumns = content.image?.size.width ?? 0
        onChange()
    }

    /// Shows the progress of the load.
    func show(_ fraction: Double) {
        let width = 20
        let filled = Int(fraction * Double(width))
        status = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        status += " \(Int(fraction * 100)) %"
        onChange()
    }

    /// Returns the lines of the row.
    func lines(isSelected: Bool) -> [String] {
        (0..<layout.rowHeight).map { index in
            let mark = isSelected && index < layout.imageLines ? "▌" : " "
            let columns = index < imageLines.count ? imageColumns : 0
            let margin = String(repeating: " ", count: max(0, layout.imageColumns - columns) + 2)
            return mark + (index < imageLines.count ? imageLines[index] : "") + margin
                + text(besideLine: index).fitted(to: layout.textColumns)
        }
    }

    /// Returns the text beside a line of the image, vertically centred. A row of one line has room for the name only.
    private func text(besideLine index: Int) -> String {
        switch index - max(0, layout.imageLines / 2 - 1) {
        case 0: source?.shownText.fields(separatedBy: UInt8(ascii: "/")).last { !$0.isEmpty }.map(String.init) ?? ""
        case 1: status
        default: ""
        }
    }

    private func show(_ result: Result<LoadResult, ImageError>) {
        switch result {
        case .success(let result):
            status = "\(result.image.info.size) \(result.image.info.format), from \(result.origin.rawValue)"
        case .failure(let error): status = error.kind == .cancelled ? "" : error.message
        }
        onChange()
    }
}

/// Forwards the progress of loads to their cells.
@MainActor
private struct CellIndicator: LoadIndicator {
    func start(on target: any ImageTarget, slot: String) {}

    func update(_ fraction: Double, on target: any ImageTarget, slot: String) {
        (target as? GalleryCell)?.show(fraction)
    }

    func stop(on target: any ImageTarget, slot: String) {}
}

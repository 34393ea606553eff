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
    private var picture: [String] = []
    private var pictureColumns = 0
    private var words = ""

    /// Whether an image is loading.
    var isLoading: Bool { imageState().isLoading }

    init(
        _ manager: ImageManager, _ renderer: any TerminalRenderer, _ layout: GalleryLayout,
        onChange: @escaping () -> Void
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
        words = "waiting"
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
        let picture = content.image.map { renderer.picture(of: $0.bitmap, number: 0, on: layout.terminal) }
        self.picture = picture?.text.split(separator: "\r\n").map(String.init) ?? []
        pictureColumns = content.image?.size.width ?? 0
        onChange()
    }

    /// Shows the progress of the load.
    func show(_ fraction: Double) {
        let width = 20
        let filled = Int(fraction * Double(width))
        words = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        words += " \(Int(fraction * 100)) %"
        onChange()
    }

    /// Returns the lines of the row.
    func lines(isSelected: Bool) -> [String] {
        (0..<layout.rowHeight).map { index in
            let mark = isSelected && index < layout.pictureLines ? "▌" : " "
            let columns = index < picture.count ? pictureColumns : 0
            let margin = String(repeating: " ", count: max(0, layout.pictureColumns - columns) + 2)
            return mark + (index < picture.count ? picture[index] : "") + margin
                + text(index).fitted(to: layout.textColumns)
        }
    }

    /// Returns the text beside a line of the image, vertically centred. A row of one line has room for the name only.
    private func text(_ index: Int) -> String {
        switch index - max(0, layout.pictureLines / 2 - 1) {
        case 0: source?.shownText.fields(separatedBy: UInt8(ascii: "/")).last { !$0.isEmpty }.map(String.init) ?? ""
        case 1: words
        default: ""
        }
    }

    private func show(_ result: Result<LoadResult, ImageError>) {
        switch result {
        case .success(let result):
            words = "\(result.image.info.size) \(result.image.info.format), from \(result.origin.rawValue)"
        case .failure(let error): words = error.kind == .cancelled ? "" : error.message
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

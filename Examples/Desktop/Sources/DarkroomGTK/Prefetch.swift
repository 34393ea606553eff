import DarkroomCore
import FoundationEssentials

/// The loads of what is not on screen yet. They end when they leave the window, or their position gets another URL, unless
/// a cell has joined them.
@MainActor
final class Prefetch {
    private final class Load {
        let url: URL
        var task: Task<Void, Never>?
        var hasEnded = false

        init(_ url: URL) { self.url = url }
    }

    private let manager: ImageManager
    private var loads: [Int: Load] = [:]
    /// The thumbnails that are loaded, which change with the scale of the monitor.
    private var thumbnail: Thumbnail?

    init(_ manager: ImageManager) { self.manager = manager }

    isolated deinit { for load in loads.values { load.task?.cancel() } }

    /// The positions of the loads in flight.
    var loadingPositions: some Sequence<Int> { loads.lazy.filter { !$0.value.hasEnded }.map(\.key) }

    /// Cancels the loads of all positions but `positions`.
    func cancelAll(but positions: Range<Int>) {
        for (position, load) in loads where !positions.contains(position) {
            load.task?.cancel()
            loads[position] = nil
        }
    }

    /// Loads the images at `positions` in this order, unless that has begun: at least one of them. Returns false if the
    /// deadline came before the last one.
    func start(
        _ positions: some Sequence<Int>, until deadline: ContinuousClock.Instant, context: ImageContext,
        url: (Int) -> URL?
    ) -> Bool {
        var context = context
        context.priority = .low
        if context.thumbnail != thumbnail { cancelAll(but: 0..<0) }
        thumbnail = context.thumbnail
        var hasStarted = false
        for position in positions {
            let url = url(position)
            guard loads[position]?.url != url else { continue }
            loads.removeValue(forKey: position)?.task?.cancel()
            guard let url else { continue }
            guard !hasStarted || ContinuousClock.now < deadline else { return false }
            hasStarted = true
            let load = Load(url)
            loads[position] = load
            load.task = Task { [manager, context] in
                _ = try? await manager.load(url, context: context)
                load.hasEnded = true
            }
        }
        return true
    }
}

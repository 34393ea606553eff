import Console
import Darkroom

/// Plays an image in the terminal, frame by frame.
struct PlayRunner: Sendable {
    let renderer: any TerminalRenderer
    /// The number of times that it plays, 0 for ever; `nil` for the image's own loop count.
    let loopCount: Int?
    /// The playback rate.
    let rate: Double
    /// The maximum number of columns.
    let width: Int?
    private let executor = WorkExecutor(name: "play", width: 1)

    init(renderer: any TerminalRenderer, loopCount: Int?, rate: Double, width: Int?) {
        self.renderer = renderer
        self.loopCount = loopCount
        self.rate = rate
        self.width = width
    }

    /// The largest size that can be shown, in pixels.
    var bounds: PixelSize { bounds(of: terminal) }

    /// Shows `image`, and returns when it has finished playing, or at once for a still.
    ///
    /// If the terminal is too slow, frames are dropped.
    func play(_ image: Image) async throws {
        defer { Screen.leave() }
        guard let player = AnimationPlayer(image) else { return try await show(image.bitmap, number: 0) }
        if let loopCount { player.totalLoopCount = loopCount }
        player.playbackRate = rate
        var number = 0
        for await event in player.play() {
            guard case .frame(let shown) = event else { continue }
            try await show(shown.frame.bitmap, number: number)
            number += 1
        }
    }

    private func show(_ bitmap: Bitmap, number: Int) async throws {
        try await executor.run {
            let terminal = terminal
            let bounds = bounds(of: terminal)
            // It fits already, unless the terminal has shrunk.
            let size = Thumbnail.fit(Double(bounds.width), Double(bounds.height)).size(for: bitmap.size)
            let rendered = renderer.render(try bitmap.resized(to: size), number: number, on: terminal)
            Screen.draw(rendered, on: terminal)
        }
    }

    private var terminal: TerminalSize {
        var terminal = FileDescriptor.standardOutput.terminalSize ?? .standard
        if let width { terminal.columns = min(terminal.columns, width) }
        return terminal
    }

    /// Returns the largest size that fits, leaving one row for the cursor.
    private func bounds(of terminal: TerminalSize) -> PixelSize {
        renderer.bounds(rowCount: max(1, terminal.rows - 1), of: terminal)
    }
}

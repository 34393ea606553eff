import Console
import Darkroom

/// Shows a picture in the terminal, frame by frame.
struct PlayWork: Sendable {
    let renderer: any TerminalRenderer
    /// How often it plays, 0 for ever; `nil` for as often as the picture says.
    let loopCount: Int?
    /// How many times as fast.
    let rate: Double
    /// The most columns.
    let width: Int?
    private let executor = WorkExecutor(name: "play", width: 1)

    init(renderer: any TerminalRenderer, loopCount: Int?, rate: Double, width: Int?) {
        self.renderer = renderer
        self.loopCount = loopCount
        self.rate = rate
        self.width = width
    }

    /// The most pixels that can be shown.
    var bounds: PixelSize { bounds(of: terminal) }

    /// Shows `image`, and ends when it has played, or has been shown once if it is a still.
    ///
    /// A terminal that is too slow misses frames.
    func play(_ image: Image) async throws {
        defer { Screen.leave() }
        guard let player = AnimationPlayer(image) else { return try await show(image.bitmap, 0) }
        if let loopCount { player.totalLoopCount = loopCount }
        player.playbackRate = rate
        var number = 0
        for await event in player.play() {
            guard case .frame(let shown) = event else { continue }
            try await show(shown.frame.bitmap, number)
            number += 1
        }
    }

    private func show(_ bitmap: Bitmap, _ number: Int) async throws {
        try await executor.run {
            let terminal = terminal
            let bounds = bounds(of: terminal)
            // It fits already, unless the terminal has shrunk.
            let size = Thumbnail.fit(Double(bounds.width), Double(bounds.height)).size(for: bitmap.size)
            let picture = renderer.picture(of: try bitmap.resized(to: size), number: number, on: terminal)
            Screen.draw(picture, on: terminal)
        }
    }

    private var terminal: TerminalSize {
        var terminal = FileDescriptor.standardOutput.terminalSize ?? .standard
        if let width { terminal.columns = min(terminal.columns, width) }
        return terminal
    }

    /// One row is left for the cursor.
    private func bounds(of terminal: TerminalSize) -> PixelSize {
        renderer.bounds(max(1, terminal.rows - 1), of: terminal)
    }
}

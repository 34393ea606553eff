import Console
import Darkroom
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The event loop of the gallery, which handles keys and terminal changes until the user quits.
@MainActor
struct GalleryLoop {
    private enum Event: Sendable {
        case bytes([UInt8])
        case change
        case resize
        case end
    }

    private let gallery: Gallery
    private let keys: String?
    private let hasFixedSize: Bool
    private let isTerminal = FileDescriptor.standardOutput.isTerminal
    private let executor = WorkExecutor(name: "keys", width: 1)

    init(_ gallery: Gallery, keys: String?, hasFixedSize: Bool) {
        self.gallery = gallery
        self.keys = keys
        self.hasFixedSize = hasFixedSize
    }

    /// Runs until the last key has been handled. Without a terminal, it prints the last frame once all of its images
    /// have loaded.
    func run() async {
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        gallery.onChange = { sender.yield(.change) }
        watchTerminal(into: sender)
        let reading = Task { await read(into: sender) }
        var parser = KeyParser()
        var isOver = false
        if isTerminal { FullScreen.draw(gallery.frame) }
        for await event in events {
            switch event {
            case .bytes(let bytes):
                for byte in bytes where !isOver {
                    guard let key = parser.key(byte) else { continue }
                    if key == .redraw { FullScreen.invalidate() }
                    isOver = key == .quit
                    gallery.handle(key)
                }
            case .resize:
                FullScreen.invalidate()
                if !hasFixedSize, let size = FileDescriptor.standardOutput.terminalSize { gallery.resize(to: size) }
            case .end: isOver = true
            case .change: break
            }
            if isTerminal { FullScreen.draw(gallery.frame) }
            if isOver, isTerminal || gallery.loadingCount == 0 { break }
        }
        reading.cancel()
        let frame = gallery.frame
        gallery.end()
        FullScreen.leave()
        if !isTerminal { FileDescriptor.standardOutput.show(frame.joined(separator: "\n") + "\n") }
    }

    /// Sends the typed bytes, or the given `keys`.
    private func read(into sender: AsyncStream<Event>.Continuation) async {
        if let keys {
            sender.yield(.bytes(Array(keys.utf8)))
        } else {
            while let bytes = try? await executor.run({ try FileDescriptor.standardInput.someBytes() }), !bytes.isEmpty
            {
                sender.yield(.bytes(Array(bytes)))
            }
        }
        sender.yield(.end)
    }

    private func watchTerminal(into sender: AsyncStream<Event>.Continuation) {
        guard isTerminal else { return }
        System.handle(SIGWINCH) { sender.yield(.resize) }
        System.handle(SIGTSTP) {
            FullScreen.suspend()
            sender.yield(.resize)
        }
    }
}

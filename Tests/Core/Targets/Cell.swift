@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport

/// A target that notes what it is told.
final class Cell: ImageTarget {
    let imageSlots: ImageSlots
    private(set) var notes: [String] = []
    private(set) var shown: [String: Image] = [:]

    init(_ manager: ImageManager) { imageSlots = ImageSlots(manager) }

    func show(_ content: SlotContent, in slot: String) {
        shown[slot] = content.image
        switch content {
        case .placeholder(let image): note(image == nil ? "nothing" : "placeholder")
        case .preview: note("preview")
        case .result(let result): note("\(result.origin)")
        }
    }

    /// What the default slot shows.
    var bitmap: Bitmap? { shown["Cell"]?.bitmap }

    func note(_ text: String) { notes.append(text) }
}

/// Notes on a cell what it is told.
struct NotedIndicator: LoadIndicator {
    func start(on target: any ImageTarget, slot: String) { (target as? Cell)?.note("start") }
    func update(_ fraction: Double, on target: any ImageTarget, slot: String) { (target as? Cell)?.note("\(fraction)") }
    func stop(on target: any ImageTarget, slot: String) { (target as? Cell)?.note("stop") }
}

/// Notes on a cell when it begins and ends, and shows the picture in between; the end is held up.
struct NotedTransition: ImageTransition {
    let gate: Gate

    func run(to content: SlotContent, in slot: String, on target: any ImageTarget, show: () -> Void) async {
        (target as? Cell)?.note("from here")
        show()
        try? await gate.waitUnlessCancelled()
        show()
        (target as? Cell)?.note("to there")
    }
}

/// Numbered pictures, each of which comes when its gate is opened.
struct Pictures {
    private let gates = (0..<10).map { _ in Gate() }
    let ended = Recorder<URL>()

    /// The URL of picture `index`.
    static func url(_ index: Int) -> URL { URL(string: "http://example.com/\(index)/a.plain")! }

    /// Picture `index`, which is like no other.
    static func bitmap(_ index: Int) -> Bitmap {
        Bitmap(4, 4) { x, y in Color(red: UInt8(index * 20), green: UInt8(x), blue: UInt8(y)) }
    }

    /// Something to show meanwhile.
    static var placeholder: Image {
        Image(info: ImageInfo(format: .plain, storedSize: PixelSize(1, 1)), bitmap: Bitmap(1, 1) { _, _ in .white })
    }

    /// Brings the pictures; those above 9 are not there. Notes in `ended` which transfers were cancelled.
    var loader: FakeLoader {
        FakeLoader { [gates, ended] request in
            let index = Int(request.url.pathComponents[1]) ?? 99
            guard index < 10 else { throw ImageError(.status, .load, "not found") }
            do { try await gates[index].waitUnlessCancelled() } catch {
                ended.note(request.url)
                throw error
            }
            return LoadResponse(.data(PlainCoder.file(of: Self.bitmap(index))))
        }
    }

    /// Lets the pictures come.
    func open(_ indices: Int...) { for index in indices { gates[index].open() } }
}

extension ImageTarget {
    /// What a load comes to; `began` runs as soon as it was begun.
    @MainActor
    func load(
        _ url: URL?, placeholder: Image? = Pictures.placeholder, context: ImageContext = .init(),
        options: SlotOptions = .init(), slot: String? = nil, began: () -> Void = {}
    ) async -> Result<LoadResult, ImageError> {
        await withCheckedContinuation { continuation in
            setImage(url, placeholder: placeholder, context: context, options: options, slot: slot) {
                continuation.resume(returning: $0)
            }
            began()
        }
    }
}

extension Result where Failure == ImageError {
    /// The sort of failure; `nil` for a success.
    var failureKind: ImageError.Kind? { if case .failure(let error) = self { error.kind } else { nil } }
}

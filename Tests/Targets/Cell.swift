@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport

/// A target that records the calls of its methods.
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

    /// The image of the default slot.
    var bitmap: Bitmap? { shown["Cell"]?.bitmap }

    func note(_ text: String) { notes.append(text) }
}

/// A transition that records its calls on a cell.
struct NotedIndicator: LoadIndicator {
    func start(on target: any ImageTarget, slot: String) { (target as? Cell)?.note("start") }
    func update(_ fraction: Double, on target: any ImageTarget, slot: String) { (target as? Cell)?.note("\(fraction)") }
    func stop(on target: any ImageTarget, slot: String) { (target as? Cell)?.note("stop") }
}

/// A transition that records on a cell when it begins and ends, and shows the image in between. It ends once its gate
/// is open.
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

/// A loader of numbered images, each of which arrives once its gate is open.
struct Pictures {
    private let gates = (0..<10).map { _ in Gate() }
    let ended = Recorder<URL>()

    /// Returns the URL of the image `index`.
    static func url(_ index: Int) -> URL { URL(string: "http://example.com/\(index)/a.plain")! }

    /// Returns the image `index`, which differs from all others.
    static func bitmap(_ index: Int) -> Bitmap {
        Bitmap(4, 4) { x, y in Color(red: UInt8(index * 20), green: UInt8(x), blue: UInt8(y)) }
    }

    /// A placeholder.
    static var placeholder: Image {
        Image(info: ImageInfo(format: .plain, storedSize: PixelSize(1, 1)), bitmap: Bitmap(1, 1) { _, _ in .white })
    }

    /// Loads an image; those above 9 do not exist. Records cancelled transfers in `ended`.
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

    /// Waits until the image `index` is requested.
    func waitForRequest(_ index: Int) async { await gates[index].waitForArrivals(1) }

    /// Opens the gates of these images.
    func open(_ indices: Int...) { for index in indices { gates[index].open() } }
}

extension ImageTarget {
    /// Returns the result of a load; `began` is called as soon as it has started, and `joined` opened by its first event.
    @MainActor
    func load(
        _ url: URL?, placeholder: Image? = Pictures.placeholder, context: ImageContext = .init(),
        options: SlotOptions = .init(), slot: String? = nil, joined: Gate? = nil, began: () -> Void = {}
    ) async -> Result<LoadResult, ImageError> {
        await withCheckedContinuation { continuation in
            setImage(
                url, placeholder: placeholder, context: context, options: options, slot: slot,
                completion: { continuation.resume(returning: $0) }, onEvent: { _ in joined?.open() })
            began()
        }
    }
}

extension Result where Failure == ImageError {
    /// The kind of the error, or `nil` for a success.
    var failureKind: ImageError.Kind? { if case .failure(let error) = self { error.kind } else { nil } }
}

import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `UIView+WebCache`, `UIView+WebCacheOperation`, `SDWebImageIndicator` and `SDWebImageTransition`.
@MainActor
@Suite(.bounded)
struct UIViewWebCacheTests {
    /// A view that records what it shows.
    private final class View: ImageTarget {
        let imageSlots: ImageSlots
        var shown: [String] = []

        init(_ manager: ImageManager) { imageSlots = ImageSlots(manager) }

        func show(_ content: SlotContent, in slot: String) {
            switch content {
            case .placeholder(let image): shown.append(image == nil ? "nothing" : "placeholder")
            case .preview: shown.append("preview")
            case .result(let result): shown.append("\(result.origin)")
            }
        }

        /// Sets the image at `url`, and returns the kind of its error.
        @MainActor
        func set(_ url: URL?, slot: String? = nil, _ options: SlotOptions = .init()) async -> ImageError.Kind? {
            await withCheckedContinuation { continuation in
                setImage(url, placeholder: picture(.testCard(1, 1)), options: options, slot: slot) {
                    if case .failure(let error) = $0 {
                        continuation.resume(returning: error.kind)
                    } else {
                        continuation.resume(returning: nil)
                    }
                }
            }
        }
    }

    private struct Indicator: LoadIndicator {
        func start(on target: any ImageTarget, slot: String) { (target as? View)?.shown.append("start") }
        func stop(on target: any ImageTarget, slot: String) { (target as? View)?.shown.append("stop") }
    }

    @Test func placeholderIsShownUntilTheImageIsLoaded() async throws {
        let view = View(try Studio().manager)
        #expect(await view.set(Studio.url) == nil)
        #expect(view.shown == ["placeholder", "network"] && view.imageState().url == Studio.url)
    }

    @Test func memoryHitIsShownAtOnce() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        let view = View(studio.manager)
        view.setImage(Studio.url, placeholder: picture(.testCard(1, 1)))
        #expect(view.shown == ["memory"])
    }

    @Test func noURLIsAnErrorAndShowsThePlaceholder() async throws {
        let view = View(try Studio().manager)
        #expect(await view.set(nil) == .invalidURL)
        #expect(view.shown == ["placeholder"])
    }

    @Test func delayPlaceholderShowsItOnlyAfterAFailure() async throws {
        let view = View(try Studio([.status(404)]).manager)
        #expect(await view.set(Studio.url, SlotOptions { $0.delaysPlaceholder = true }) == .status)
        #expect(view.shown == ["placeholder"])
    }

    @Test func avoidAutoSetImageLeavesShowingToTheCaller() async throws {
        let view = View(try Studio().manager)
        #expect(await view.set(Studio.url, SlotOptions { $0.showsImage = false }) == nil)
        #expect(view.shown == ["placeholder"])
    }

    @Test func newLoadCancelsThePreviousOneOfTheView() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin {
                if $0.url.lastPathComponent == "old.plain" { try await gate.waitUnlessCancelled() }
                return Studio.fresh
            })
        let view = View(studio.manager)
        var old: ImageError.Kind?
        view.setImage(URL(string: "https://example.com/old.plain")) {
            if case .failure(let error) = $0 { old = error.kind }
        }
        #expect(await view.set(Studio.url) == nil)
        #expect(old == .cancelled && view.shown == ["nothing", "placeholder", "network"])
    }

    @Test func statesOfAButtonLoadSideBySide() async throws {
        let view = View(try Studio().manager)
        var normal: ImageError.Kind?
        view.setImage(Studio.url, slot: "normal") { if case .failure(let error) = $0 { normal = error.kind } }
        #expect(await view.set(URL(string: "https://example.com/other.plain"), slot: "highlighted") == nil)
        #expect(normal == nil && view.imageState(slot: "normal").url == Studio.url)
        #expect(view.imageState(slot: "highlighted").url?.lastPathComponent == "other.plain")
    }

    @Test func indicatorRunsWhileTheImageLoads() async throws {
        let view = View(try Studio().manager)
        view.imageSlots.indicator = Indicator()
        #expect(await view.set(Studio.url) == nil)
        #expect(view.shown == ["placeholder", "start", "stop", "network"])
    }

    @Test func progressOfACachedImageIsComplete() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        let view = View(studio.manager)
        view.setImage(Studio.url)
        #expect(view.imageState().fraction == 1)
    }
}

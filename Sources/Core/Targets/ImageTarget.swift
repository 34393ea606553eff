#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that shows images, such as a cell of a list: it has one or more slots, each with a load of its own.
///
/// A target belongs to one actor: the main one, or the one whose thread turns the application's own event loop. Everything
/// here is called on that actor, and all answers come on it, so that nothing needs a lock. A class of the main actor
/// conforms as `@MainActor ImageTarget`.
public protocol ImageTarget: AnyObject {
    /// What the framework knows about the slots. Make one with the target, and keep it.
    var imageSlots: ImageSlots { get }

    /// Shows `content` in place of what `slot` shows. It never belongs to a load that another has replaced.
    func show(_ content: SlotContent, in slot: String)
}

extension ImageTarget {
    /// Loads the picture at `url` into `slot`, in place of what is loading there; without a URL, only the placeholder is shown.
    ///
    /// An image in memory is shown before this returns, and its placeholder never is. Otherwise the placeholder is shown
    /// now, and the image when it comes; a load that fails leaves what is shown. A load ends when the target goes, which is
    /// not kept alive by it.
    ///
    /// - Parameters:
    ///   - url: Where the picture is; `nil` for none.
    ///   - placeholder: What is shown until the image is there.
    ///   - context: How the picture is wanted.
    ///   - options: How the load goes with the slot.
    ///   - slot: The name of the slot; `nil` for that of the target's type.
    ///   - isolation: The target's actor, which is the caller's.
    ///   - completion: Gets the outcome, once. That is an error of kind `cancelled` when another load takes the slot, and
    ///     comes before anything of the other is shown. It is not called when the target has gone.
    ///   - onEvent: Hears of everything that happens, the result included, before it is shown.
    public func setImage(
        _ url: URL?, placeholder: Image? = nil, context: ImageContext = .init(), options: SlotOptions = .init(),
        slot: String? = nil, isolation: isolated any Actor = #isolation,
        completion: ((Result<LoadResult, ImageError>) -> Void)? = nil, onEvent: ((LoadEvent) -> Void)? = nil
    ) {
        let load = SlotLoad(
            url, on: self, slot: slot ?? defaultSlot, placeholder: placeholder, context: context, options: options)
        (load.onEvent, load.completion) = (onEvent, completion)
        imageSlots.begin(load, on: self, isolation)
    }

    /// Ends the load of `slot`, if there is one; `nil` is the default slot.
    public func cancelImageLoad(slot: String? = nil) { imageSlots.cancel(slot ?? defaultSlot) }

    /// Ends the load of the slot for which `setImage` was called last.
    public func cancelLatestImageLoad() { imageSlots.latest.map(imageSlots.cancel) }

    /// How far `slot` is; `nil` is the default slot.
    public func imageState(slot: String? = nil) -> SlotState { imageSlots.state(of: slot ?? defaultSlot) }

    private var defaultSlot: String { String(describing: type(of: self)) }
}

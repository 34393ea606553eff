public import DarkroomCore
public import DarkroomPlatform

/// An object that shows images, such as a cell of a list. It has one or more slots, each with a load of its own.
///
/// A target belongs to one actor: the main actor, or the one that runs the application's own event loop. All members
/// and callbacks are called on that actor, so no locking is needed. A class on the main actor conforms as
/// `@MainActor ImageTarget`.
public protocol ImageTarget: AnyObject {
    /// The state of the slots. Create it with the target and store it for the target's lifetime.
    var imageSlots: ImageSlots { get }

    /// Shows `content` in `slot`, in place of the current content. It is never called for a load that another one has
    /// replaced.
    func show(_ content: SlotContent, in slot: String)
}

extension ImageTarget {
    /// Loads the image at `url` into `slot`, in place of any load in progress there. Without a URL, only the
    /// placeholder is shown.
    ///
    /// An image in memory is shown before this method returns, without its placeholder. Otherwise the placeholder is
    /// shown now, and the image when it is loaded; a failed load leaves the current content. The load does not keep the
    /// target alive, and ends when the target is deallocated.
    ///
    /// - Parameters:
    ///   - url: The URL of the image; `nil` for none.
    ///   - placeholder: The image to show until the load completes.
    ///   - context: The options of the load.
    ///   - options: The options for the behaviour of the slot.
    ///   - slot: The name of the slot; `nil` for the default one, named after the target's type.
    ///   - isolation: The target's actor, which is the caller's.
    ///   - completion: Called once with the outcome. When another load takes the slot, that is an error of kind
    ///     `cancelled`, delivered before anything of the new load is shown. It is not called if the target has been
    ///     deallocated.
    ///   - onEvent: Called with every event of the load. The result is reported before it is shown.
    public func setImage(
        _ url: URL?, placeholder: Image? = nil, context: ImageContext = .init(), options: SlotOptions = .init(),
        slot: String? = nil, isolation: isolated any Actor = #isolation,
        completion: ((Result<LoadResult, ImageError>) -> Void)? = nil, onEvent: ((LoadEvent) -> Void)? = nil
    ) {
        let load = SlotLoad(
            url, on: self, slot: slot ?? defaultSlot, placeholder: placeholder, context: context, options: options)
        (load.onEvent, load.completion) = (onEvent, completion)
        imageSlots.begin(load, on: self, isolation: isolation)
    }

    /// Changes the priority of the load of `slot`, if one is in flight, such as when a cell leaves the screen. `nil`
    /// means the default slot.
    ///
    /// With an `ImageContext.urgency` of its own, other loads with that urgency follow.
    public func setImageLoadPriority(_ priority: LoadPriority, slot: String? = nil) {
        imageSlots.setPriority(priority, of: slot ?? defaultSlot)
    }

    /// Cancels the load of `slot`, if there is one. `nil` means the default slot.
    public func cancelImageLoad(slot: String? = nil) { imageSlots.cancel(slot ?? defaultSlot) }

    /// Cancels the load of the slot for which `setImage` was last called.
    public func cancelLatestImageLoad() { imageSlots.latest.map(imageSlots.cancel) }

    /// Returns the progress of `slot`. `nil` means the default slot.
    public func imageState(slot: String? = nil) -> SlotState { imageSlots.state(of: slot ?? defaultSlot) }

    private var defaultSlot: String { String(describing: type(of: self)) }
}

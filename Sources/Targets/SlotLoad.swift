import DarkroomCore
import DarkroomPlatform

/// One load of a slot. It is isolated to the actor of its target.
final class SlotLoad {
    let url: URL?
    let slot: String
    let placeholder: Image?
    let context: ImageContext
    let options: SlotOptions
    private(set) weak var target: (any ImageTarget)?
    var onEvent: ((LoadEvent) -> Void)?
    var completion: ((Result<LoadResult, ImageError>) -> Void)?
    var task: Task<Void, Never>?
    /// The urgency of the load, once it is in flight.
    var urgency: Urgency?
    /// The previous load of the same URL. It keeps the transfer alive until this load has joined it.
    var predecessor: SlotLoad?
    /// Whether a cached image was shown at the beginning of a refresh.
    var hasShownCached = false

    init(
        _ url: URL?, on target: any ImageTarget, slot: String, placeholder: Image?, context: ImageContext,
        options: SlotOptions
    ) {
        self.url = url
        self.target = target
        self.slot = slot
        self.placeholder = placeholder
        self.context = context
        self.options = options
    }

    /// Calls the completion with `outcome`, unless it has been called before.
    func complete(_ outcome: Result<LoadResult, ImageError>) {
        onEvent = nil
        completion.take()?(outcome)
    }

    /// Cancels the previous load of the same URL, which is no longer needed.
    func releasePredecessor() { predecessor.take()?.cancel() }

    /// Cancels the load and completes it with an error of kind `cancelled`.
    func cancel() {
        task?.cancel()
        complete(.failure(.cancelled))
        releasePredecessor()
    }
}

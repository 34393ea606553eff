#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One load of a slot. It belongs to the actor of its target.
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

    /// Tells the caller how it ended, unless that was done.
    func complete(_ answer: Result<LoadResult, ImageError>) {
        onEvent = nil
        completion.take()?(answer)
    }

    /// Ends it, and tells the caller so.
    func cancel() {
        task?.cancel()
        complete(.failure(.cancelled))
    }
}

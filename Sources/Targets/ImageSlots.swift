public import DarkroomCore

/// The slots of one ``ImageTarget``: their loads, and how progress and results are presented.
public final class ImageSlots {
    private struct Slot {
        var state = SlotState()
        /// The load whose result may be shown.
        var load: SlotLoad?
    }

    /// The manager that loads the images.
    public var manager: ImageManager

    /// The indicator that shows which slots are loading; `nil` for none.
    public var indicator: (any LoadIndicator)?

    /// The transition to images that were not in memory; `nil` to show them at once.
    public var transition: (any ImageTransition)?

    private(set) var latest: String?
    private var slots: [String: Slot] = [:]
    /// All loads in flight, including replaced ones that may continue.
    private var running: [ObjectIdentifier: SlotLoad] = [:]

    /// Creates empty slots, whose images `manager` loads.
    public init(_ manager: ImageManager) { self.manager = manager }

    deinit {
        for load in running.values { load.task?.cancel() }
    }

    func state(of slot: String) -> SlotState { slots[slot]?.state ?? SlotState() }

    func cancel(_ slot: String) {
        guard let load = slots[slot]?.load else { return }
        slots[slot]?.load = nil
        if let target = load.target, stopLoading(load, on: target) { showDelayedPlaceholder(of: load, on: target) }
        load.cancel()
    }

    func setPriority(_ priority: LoadPriority, of slot: String) { slots[slot]?.load?.urgency?.priority = priority }

    func begin(_ load: SlotLoad, on target: any ImageTarget, isolation: isolated any Actor) {
        latest = load.slot
        takeSlot(load, from: slots[load.slot]?.load, on: target)
        // The completion of the previous load may have started yet another one.
        guard isCurrent(load) else { return }
        guard let url = load.url else {
            slots[load.slot]?.load = nil
            if !load.options.delaysPlaceholder { target.show(.placeholder(load.placeholder), in: load.slot) }
            return load.complete(.failure(ImageError(.invalidURL, .request, "there is no URL")))
        }
        let manager = load.options.manager ?? manager
        let searchesMemory = transition == nil || !load.options.forcesTransition
        switch manager.start(url, context: load.context, searchesMemory: searchesMemory) {
        case .hit(let hit): finish(load, with: hit, on: target)
        case .pending(let pending): startLoading(load, as: pending, isolation: isolation)
        }
    }

    private func startLoading(_ load: SlotLoad, as pending: PendingLoad, isolation: isolated any Actor) {
        guard let target = load.target else { return }
        showInitialContent(of: load, cached: pending.imageBeforeRefresh, on: target)
        // The handler may have started another load.
        guard isCurrent(load) else { return }
        indicator?.start(on: target, slot: load.slot)
        slots[load.slot]?.state.isLoading = true
        running[ObjectIdentifier(load)] = load
        let (events, urgency) = pending.begin()
        load.urgency = urgency
        load.task = Task { [weak self] in
            // Captured so that the task runs on this actor.
            _ = isolation
            let outcome = await load.outcome(of: events) { self?.handle($0, of: load) }
            await self?.end(load, with: outcome)
        }
    }

    /// Makes `load` the current one of its slot, and ends the previous one.
    private func takeSlot(_ load: SlotLoad, from old: SlotLoad?, on target: any ImageTarget) {
        var slot = Slot(load: load)
        slot.state.url = load.url
        if let old { stopLoading(old, on: target) }
        slots[load.slot] = slot
        guard let old, load.options.cancelsPreviousLoad else { return }
        if old.url == load.url, old.task != nil {
            load.predecessor = old
            old.complete(.failure(.cancelled))
        } else {
            old.cancel()
        }
    }

    /// Shows `cached`, the image that a refresh finds in memory, or else the placeholder.
    private func showInitialContent(of load: SlotLoad, cached: LoadResult?, on target: any ImageTarget) {
        guard let cached else {
            if !load.options.delaysPlaceholder { target.show(.placeholder(load.placeholder), in: load.slot) }
            return
        }
        load.hasShownCached = true
        load.onEvent?(.cached(cached))
        if isCurrent(load) { show(.result(cached), of: load, on: target) }
    }

    private func isCurrent(_ load: SlotLoad) -> Bool { slots[load.slot]?.load === load }

    private func finish(_ load: SlotLoad, with hit: LoadResult, on target: any ImageTarget) {
        load.releasePredecessor()
        markComplete(of: load)
        load.onEvent?(.finished(hit))
        guard isCurrent(load) else { return }
        slots[load.slot]?.load = nil
        show(.result(hit), of: load, on: target)
        load.complete(.success(hit))
    }

    /// Stops the indicator. Returns false if the load is complete, or waits only for its transition.
    @discardableResult
    private func stopLoading(_ load: SlotLoad, on target: any ImageTarget) -> Bool {
        guard slots[load.slot]?.state.isLoading == true else { return false }
        slots[load.slot]?.state.isLoading = false
        indicator?.stop(on: target, slot: load.slot)
        return true
    }

    private func handle(_ event: LoadEvent, of load: SlotLoad) {
        guard let target = load.target else {
            // The target is gone, but something else still references its slots.
            load.task?.cancel()
            load.releasePredecessor()
            return
        }
        load.releasePredecessor()
        if case .cached = event, load.hasShownCached { return }
        if isCurrent(load) {
            switch event {
            case .progress(let received, let expected):
                slots[load.slot]?.state.receivedByteCount = received
                slots[load.slot]?.state.expectedByteCount = expected
                indicator?.update(state(of: load.slot).fraction, on: target, slot: load.slot)
            case .preview(let image): show(.preview(image), of: load, on: target)
            case .cached(let result): show(.result(result), of: load, on: target)
            case .queued, .started, .response, .finished: break
            }
        }
        load.onEvent?(event)
    }

    /// Shows the outcome of `load`, if it is still the current one of its slot.
    private func end(_ load: SlotLoad, with outcome: Result<LoadResult, ImageError>) async {
        defer { running[ObjectIdentifier(load)] = nil }
        load.releasePredecessor()
        guard let target = load.target else { return }
        guard isCurrent(load) else { return load.complete(outcome) }
        stopLoading(load, on: target)
        switch outcome {
        case .success(let result):
            markComplete(of: load)
            await present(result, of: load, on: target)
        case .failure: showDelayedPlaceholder(of: load, on: target)
        }
        if isCurrent(load) { slots[load.slot]?.load = nil }
        load.complete(outcome)
    }

    private func show(_ content: SlotContent, of load: SlotLoad, on target: any ImageTarget) {
        if load.options.showsImage { target.show(content, in: load.slot) }
    }

    /// Shows `result` at once, or with the transition.
    private func present(_ result: LoadResult, of load: SlotLoad, on target: any ImageTarget) async {
        guard let transition, load.options.showsImage,
            result.origin != .memory || load.options.forcesTransition
        else { return show(.result(result), of: load, on: target) }
        await transition.run(to: .result(result), in: load.slot, on: target) {
            guard isCurrent(load) else { return }
            target.show(.result(result), in: load.slot)
            if !load.options.waitsForTransition { load.complete(.success(result)) }
        }
    }

    private func showDelayedPlaceholder(of load: SlotLoad, on target: any ImageTarget) {
        if load.options.delaysPlaceholder { target.show(.placeholder(load.placeholder), in: load.slot) }
    }

    /// Marks the progress as complete if no bytes were counted: the image came from a cache.
    private func markComplete(of load: SlotLoad) {
        guard state(of: load.slot).receivedByteCount == 0 else { return }
        slots[load.slot]?.state.receivedByteCount = 1
        slots[load.slot]?.state.expectedByteCount = 1
    }
}

extension SlotLoad {
    /// Consumes the events and returns the outcome of the load. `body` receives every event, the result included.
    fileprivate func outcome(
        of events: LoadEvents, body: (LoadEvent) -> Void
    ) async -> Result<LoadResult, ImageError> {
        do {
            for try await event in events {
                body(event)
                if case .finished(let result) = event { return .success(result) }
            }
            return .failure(.cancelled)
        } catch {
            return .failure(error)
        }
    }
}

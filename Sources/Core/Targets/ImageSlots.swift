/// The slots of one `ImageTarget`: what each of them loads, and who shows how far that is.
public final class ImageSlots {
    private struct Slot {
        var state = SlotState()
        /// The load whose answer may be shown.
        var load: SlotLoad?
    }

    /// Who loads the pictures.
    public var manager: ImageManager

    /// What shows that a slot is loading; `nil` for nothing.
    public var indicator: (any LoadIndicator)?

    /// How pictures that took time come to be seen; `nil` for at once.
    public var transition: (any ImageTransition)?

    private(set) var latest: String?
    private var slots: [String: Slot] = [:]
    /// All loads that have not ended, also those that were replaced and may go on.
    private var running: [ObjectIdentifier: SlotLoad] = [:]

    /// Slots without anything in them, into which `manager` loads.
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

    func begin(_ load: SlotLoad, on target: any ImageTarget, _ isolation: isolated any Actor) {
        latest = load.slot
        takeSlot(load, from: slots[load.slot]?.load, on: target)
        // The completion of the one before may have begun yet another load.
        guard isCurrent(load) else { return }
        guard let url = load.url else {
            slots[load.slot]?.load = nil
            if !load.options.delaysPlaceholder { target.show(.placeholder(load.placeholder), in: load.slot) }
            return load.complete(.failure(ImageError(.invalidURL, .request, "there is no URL")))
        }
        if let hit = memoryHit(load) { return finish(load, with: hit, on: target) }
        if !load.options.delaysPlaceholder { target.show(.placeholder(load.placeholder), in: load.slot) }
        indicator?.start(on: target, slot: load.slot)
        slots[load.slot]?.state.isLoading = true
        running[ObjectIdentifier(load)] = load
        let events = (load.options.manager ?? manager).events(for: url, context: load.context)
        load.task = Task { [weak self] in
            // Named here, for then the task runs on it.
            _ = isolation
            let answer = await load.answer(from: events) { self?.note($0, of: load) }
            await self?.end(load, with: answer)
        }
    }

    /// Makes `load` the one of its slot, and ends the one before.
    private func takeSlot(_ load: SlotLoad, from old: SlotLoad?, on target: any ImageTarget) {
        var slot = Slot(load: load)
        slot.state.url = load.url
        if let old { stopLoading(old, on: target) }
        slots[load.slot] = slot
        if !load.options.avoidsAutoCancel { old?.cancel() }
    }

    private func isCurrent(_ load: SlotLoad) -> Bool { slots[load.slot]?.load === load }

    private func memoryHit(_ load: SlotLoad) -> LoadResult? {
        guard let url = load.url, transition == nil || !load.options.forcesTransition else { return nil }
        return (load.options.manager ?? manager).loadFromMemory(url, context: load.context)
    }

    private func finish(_ load: SlotLoad, with hit: LoadResult, on target: any ImageTarget) {
        noteSuccess(of: load)
        load.onEvent?(.finished(hit))
        guard isCurrent(load) else { return }
        slots[load.slot]?.load = nil
        show(.result(hit), of: load, on: target)
        load.complete(.success(hit))
    }

    /// Takes the indicator away. False when the load is over already, or waits no more for anything but its transition.
    @discardableResult
    private func stopLoading(_ load: SlotLoad, on target: any ImageTarget) -> Bool {
        guard slots[load.slot]?.state.isLoading == true else { return false }
        slots[load.slot]?.state.isLoading = false
        indicator?.stop(on: target, slot: load.slot)
        return true
    }

    private func note(_ event: LoadEvent, of load: SlotLoad) {
        guard let target = load.target else {
            // Somebody else keeps the slots.
            load.task?.cancel()
            return
        }
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

    /// Shows what came of `load`, if its slot still waits for that.
    private func end(_ load: SlotLoad, with answer: Result<LoadResult, ImageError>) async {
        defer { running[ObjectIdentifier(load)] = nil }
        guard let target = load.target else { return }
        guard isCurrent(load) else { return load.complete(answer) }
        stopLoading(load, on: target)
        switch answer {
        case .success(let result):
            noteSuccess(of: load)
            await pass(to: result, of: load, on: target)
        case .failure: showDelayedPlaceholder(of: load, on: target)
        }
        if isCurrent(load) { slots[load.slot]?.load = nil }
        load.complete(answer)
    }

    private func show(_ content: SlotContent, of load: SlotLoad, on target: any ImageTarget) {
        if !load.options.avoidsAutoSetImage { target.show(content, in: load.slot) }
    }

    /// Shows `result` at once, or by the transition.
    private func pass(to result: LoadResult, of load: SlotLoad, on target: any ImageTarget) async {
        guard let transition, !load.options.avoidsAutoSetImage,
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

    /// A picture for which no bytes were counted was in a cache, whole.
    private func noteSuccess(of load: SlotLoad) {
        guard state(of: load.slot).receivedByteCount == 0 else { return }
        slots[load.slot]?.state.receivedByteCount = 1
        slots[load.slot]?.state.expectedByteCount = 1
    }
}

extension SlotLoad {
    /// What the load comes to; `body` hears of everything before.
    fileprivate func answer(
        from events: AsyncThrowingStream<LoadEvent, any Error>, body: (LoadEvent) -> Void
    ) async -> Result<LoadResult, ImageError> {
        do {
            for try await event in events {
                body(event)
                if case .finished(let result) = event { return .success(result) }
            }
            return .failure(.cancelled)
        } catch {
            return .failure(ImageError(error, in: .load))
        }
    }
}

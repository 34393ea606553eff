/// Shows that something is loading. Called on the actor of the target; it must not keep the target alive.
public protocol LoadIndicator {
    /// A load begins. Each start is followed by one stop, before the next start of the slot.
    func start(on target: any ImageTarget, slot: String)

    /// So much of it has come, 0 to 1.
    func update(_ fraction: Double, on target: any ImageTarget, slot: String)

    /// The load is over, however it ended.
    func stop(on target: any ImageTarget, slot: String)
}

extension LoadIndicator {
    /// The default, for indicators that only turn: nothing.
    public func update(_ fraction: Double, on target: any ImageTarget, slot: String) {}
}

/// An indicator of loads in progress. All members are called on the target's actor. It must not keep the target alive.
public protocol LoadIndicator {
    /// Called when a load starts. Each start is followed by exactly one stop, before the next start of the same slot.
    func start(on target: any ImageTarget, slot: String)

    /// Called when the loaded fraction changes, from 0 to 1.
    func update(_ fraction: Double, on target: any ImageTarget, slot: String)

    /// Called when the load ends, with whatever outcome.
    func stop(on target: any ImageTarget, slot: String)
}

extension LoadIndicator {
    /// Does nothing, for indicators of unspecific progress.
    public func update(_ fraction: Double, on target: any ImageTarget, slot: String) {}
}

// The lifecycle of the host, which calls these: the framework installs no signal handlers or timers by itself.
extension ImageManager {
    /// Makes the caches and the other tenants of the memory budget, such as players, release memory as `pressure` requires.
    /// ``MemoryPressureMonitor`` can report the pressure.
    public func didReceiveMemoryPressure(_ pressure: MemoryPressure) {
        memory.images.respond(to: pressure)
        pipeline.components.dataCache?.respond(to: pressure)
        pipeline.components.originalCache?.respond(to: pressure)
        pipeline.components.memoryBudget.respond(to: pressure)
    }

    /// Removes expired entries from the data caches, and shrinks those that exceed their size limits. Call it when the
    /// app moves to the background.
    public func trim() async {
        try? await pipeline.components.dataCache?.trim()
        try? await pipeline.components.originalCache?.trim()
    }

    /// Stores the results delivered so far and trims the data caches. Call it before the process exits.
    public func flush() async {
        await waitForStores()
        await trim()
    }
}

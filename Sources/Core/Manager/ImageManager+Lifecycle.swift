/// What a host tells of its life. Nothing is called by itself: no signal handlers, no timers, unless somebody installs them.
extension ImageManager {
    /// Makes the memory cache give back memory, as far as `pressure` demands. `MemoryPressureMonitor` can tell when.
    public func didReceiveMemoryPressure(_ pressure: MemoryPressure) {
        components.imageCache?.respond(to: pressure)
    }

    /// Removes what is too old and too much from the disk. For when the app is not looked at any more.
    public func didEnterBackground() async { await trimCaches() }

    /// Keeps what was delivered, and removes what is too old and too much from the disk. For the end of the process.
    public func willTerminate() async {
        await waitForStores()
        await trimCaches()
    }

    private func trimCaches() async {
        try? await components.dataCache?.trim()
        try? await components.originalCache?.trim()
    }
}

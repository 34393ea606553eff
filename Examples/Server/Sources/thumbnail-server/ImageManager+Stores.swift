import Darkroom

extension ImageManager {
    /// Waits until everything that was delivered is stored, for at most `limit`, and returns whether it is.
    ///
    /// Stores that have not ended go on, so call it only before the process exits.
    func waitForStores(within limit: Duration) async -> Bool {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)
        // Not tasks of a group, which would wait for stores that hang.
        let stores = Task {
            await self.waitForStores()
            outcome.yield(true)
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            outcome.yield(false)
        }
        defer {
            stores.cancel()
            timer.cancel()
        }
        for await isStored in outcomes { return isStored }
        return false
    }
}

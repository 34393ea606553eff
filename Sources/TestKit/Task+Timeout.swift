import DarkroomCore

extension Task where Success == Void, Failure == any Error {
    /// Returns the result of the task, or `nil` if it has not finished within `timeout`. The task continues in that
    /// case.
    func result(within timeout: Duration) async -> Result<Void, any Error>? {
        let first = FirstValue<Result<Void, any Error>>()
        _ = Task<Void, Never> { first.offer(await self.result) }
        return await first.value(by: timeout, on: Stopwatch(ContinuousClock()))
    }
}

public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A loader that tries again what another one failed at for a moment: a time-out, a broken connection, a status that says so.
///
/// All that the other loader says of itself, it says too. What a wrapper forgets to pass on is taken for the default.
public struct RetryingLoader<Base: ImageLoader, Time: Clock<Duration>>: ImageLoader {
    private let base: Base
    private let pauses: [Duration]
    private let clock: Time

    /// A loader that waits for each of `pauses` in turn before it tries `base` again. A test brings its own `clock`.
    public init(_ base: Base, pauses: [Duration] = [.seconds(0.5), .seconds(1), .seconds(2)], on clock: Time) {
        self.base = base
        self.pauses = pauses
        self.clock = clock
    }

    /// Loads, and after a passing failure waits and loads again; the last failure is thrown.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        for pause in pauses {
            do {
                return try await base.load(request)
            } catch let error as ImageError where error.isTransient && !base.remembers(error) {
                // Shown in events and reports: whoever waits wants to know why.
                request.tell(.retries(after: pause, because: error))
                try await clock.sleep(for: pause)
            }
        }
        return try await base.load(request)
    }

    /// As the other loader says.
    public func canLoad(_ url: URL) -> Bool { base.canLoad(url) }

    /// As the other loader says.
    public func localVersion(of url: URL) -> String? { base.localVersion(of: url) }

    /// As the other loader says.
    public func requestFields(for request: LoadRequest) -> [String: String] { base.requestFields(for: request) }

    /// As the other loader says.
    public func validate() throws(ImageError) { try base.validate() }

    /// As the other loader says.
    public func remembers(_ error: ImageError) -> Bool { base.remembers(error) }
}

extension ImageLoader {
    /// This loader, which tries again after each of `pauses`.
    public func tryingAgain(
        after pauses: [Duration] = [.seconds(0.5), .seconds(1), .seconds(2)]
    ) -> RetryingLoader<Self, ContinuousClock> {
        RetryingLoader(self, pauses: pauses, on: ContinuousClock())
    }
}

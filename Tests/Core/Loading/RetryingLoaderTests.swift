import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct RetryingLoaderTests {
    private static let request = LoadRequest(url: Darkbox.url)

    /// Returns a loader that fails with each of `errors` in order, and then returns an image.
    private static func loader(failing errors: [ImageError]) -> FakeLoader {
        let attempts = Recorder<Int>()
        return FakeLoader { _ in
            attempts.note(1)
            let number = attempts.values.count
            if number <= errors.count { throw errors[number - 1] }
            return LoadResponse(.data(Data([7])))
        }
    }

    private static func status(_ status: Int, _ headers: [String: String] = [:]) -> ImageError {
        let response = ResponseMetadata(url: Darkbox.url, status: status, headers: headers)
        return ImageError(.status, .load, "the origin returned status \(status)", response: response)
    }

    private static func policy(_ configure: (inout RetryPolicy) -> Void = { _ in }) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.jitter = { $0 }
        configure(&policy)
        return policy
    }

    /// Returns the pauses in seconds between the attempts of a load that fails with `errors`, and whether it succeeded.
    private static func pauses(_ policy: RetryPolicy, _ errors: ImageError...) async -> ([Double], Bool) {
        let (clock, loader) = (ManualClock(skipsSleeps: true), loader(failing: errors))
        let delays = Recorder<Duration>()
        var request = request
        request.report = { if case .retries(let pause, _) = $0 { delays.note(pause) } }
        let response = try? await loader.retrying(policy, on: clock).load(request)
        #expect(loader.requests.count == delays.values.count + 1)
        // The clock skips every pause, so it shows their sum.
        #expect(clock.now.offset == delays.values.reduce(.zero, +))
        return (delays.values.map { $0 / .seconds(1) }, response != nil)
    }

    @Test func transientErrorsAreRetriedWithExponentialBackoff() async {
        let network = ImageError(.network, .load, "unreachable")
        let policy = Self.policy {
            $0.attemptCount = 5; $0.delayLimit = .seconds(3)
        }
        let (pauses, succeeded) = await Self.pauses(policy, network, Self.status(503), network, network)
        #expect(pauses == [0.5, 1, 2, 3] && succeeded)
    }

    @Test func errorOfTheLastAttemptIsThrown() async throws {
        let loader = Self.loader(failing: [500, 502, 504, 503].map { Self.status($0) })
        let error = await #expect(throws: ImageError.self) {
            try await loader.retrying(Self.policy(), on: ManualClock(skipsSleeps: true)).load(Self.request)
        }
        #expect(error?.response?.status == 504 && loader.requests.count == 3)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 400, 401, 404, 410, 501, 505])
    func onlySomeStatusesAreTransient(status: Int) async {
        let (pauses, succeeded) = await Self.pauses(Self.policy(), Self.status(status))
        let isTransient = ![400, 401, 404, 410, 501, 505].contains(status)
        #expect(succeeded == isTransient && pauses.count == (isTransient ? 1 : 0))
    }

    @Test(arguments: [
        ImageError.Kind.invalidURL, .refused, .contentType, .corrupt, .overLimit, .cancelled, .status,
    ])
    func otherErrorsAreNotRetried(kind: ImageError.Kind) async {
        let (_, succeeded) = await Self.pauses(Self.policy(), ImageError(kind, .load, "no"))
        #expect(!succeeded)
    }

    @Test func rememberedErrorsAreNotRetried() async {
        struct Stubborn: ImageLoader {
            let attempts = Recorder<URL>()
            func canLoad(_ url: URL) -> Bool { true }
            func remembers(_ error: ImageError) -> Bool { error.kind == .network }
            func load(_ request: LoadRequest) async throws -> LoadResponse {
                attempts.note(request.url)
                throw ImageError(.network, .load, "the certificate is for another host")
            }
        }
        let loader = Stubborn()
        await #expect(throws: ImageError.self) {
            try await loader.retrying(Self.policy(), on: ManualClock(skipsSleeps: true)).load(Self.request)
        }
        #expect(loader.attempts.values.count == 1)
        // An explicit choice of the retried errors takes precedence.
        await #expect(throws: ImageError.self) {
            try await loader.retrying(Self.policy { $0.retries = { _ in true } }, on: ManualClock(skipsSleeps: true))
                .load(Self.request)
        }
        #expect(loader.attempts.values.count == 4)
    }

    @Test func retryAfterIsHonoured() async {
        let (date, later) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:57 GMT")
        let (pauses, succeeded) = await Self.pauses(
            Self.policy { $0.attemptCount = 9 },
            Self.status(503, ["retry-after": "7"]), Self.status(429, ["retry-after": later, "date": date]),
            // Shorter than the default pause, in the past, and malformed.
            Self.status(503, ["retry-after": "0"]), Self.status(503, ["retry-after": date]),
            Self.status(503, ["retry-after": "soon"]))
        #expect(pauses == [7, 20, 2, 4, 8] && succeeded)
    }

    @Test(arguments: ["61", "99999999999999999999", "Fri, 06 Nov 9998 08:49:37 GMT"])
    func excessiveRetryAfterEndsTheRetries(field: String) async {
        let error = Self.status(503, ["retry-after": field])
        let (pauses, succeeded) = await Self.pauses(Self.policy(), error)
        #expect(pauses.isEmpty && !succeeded)
        let patient = Self.policy { $0.retryAfterLimit = .seconds(61) }
        #expect(await Self.pauses(patient, error).1 == (field == "61"))
    }

    @Test func cancellationEndsTheDelay() async throws {
        let (loader, clock) = (
            Self.loader(failing: [ImageError(.timedOut, .load, "slow")]), ManualClock()
        )
        let task = Task { try await loader.retrying(Self.policy(), on: clock).load(Self.request) }
        await clock.waitForSleeps(1)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(loader.requests.count == 1)
    }

    @Test func cancellationIsNotRetried() async {
        let loader = FakeLoader { _ in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            throw ImageError(.network, .load, "the connection was closed")
        }
        let task = Task {
            try await loader.retrying(Self.policy(), on: ManualClock(skipsSleeps: true)).load(Self.request)
        }
        let error = await #expect(throws: ImageError.self) { try await task.value }
        #expect(error?.kind == .cancelled && loader.requests.count == 1)
    }

    @Test func outOfRangeSettingsAreClamped() async {
        let network = ImageError(.network, .load, "unreachable")
        let huge = Self.policy {
            $0.multiplier = .infinity; $0.baseDelay = .seconds(Int64.max); $0.delayLimit = .seconds(9)
        }
        #expect(await Self.pauses(huge, network, network).0 == [9, 9])
        let negative = Self.policy {
            $0.multiplier = -.infinity; $0.baseDelay = .seconds(-1); $0.delayLimit = .seconds(-1)
        }
        #expect(await Self.pauses(negative, network, network).0 == [0, 0])
        let missing = Self.policy { $0.multiplier = .nan }
        #expect(await Self.pauses(missing, network, network).0 == [0.5, 0.5])
        #expect(await Self.pauses(Self.policy { $0.attemptCount = -1 }, network).1 == false)
    }

    @Test func fullJitterCoversTheWholeDelay() async {
        var policy = RetryPolicy()
        policy.attemptCount = 50
        policy.multiplier = 1
        let network = ImageError(.network, .load, "unreachable")
        let loader = FakeLoader { _ in throw network }
        let pauses = Recorder<Duration>()
        var request = Self.request
        request.report = { if case .retries(let pause, _) = $0 { pauses.note(pause) } }
        _ = try? await loader.retrying(policy, on: ManualClock(skipsSleeps: true)).load(request)
        #expect(pauses.values.allSatisfy { $0 >= .zero && $0 <= policy.baseDelay })
        #expect(Set(pauses.values).count > 25)
    }
}

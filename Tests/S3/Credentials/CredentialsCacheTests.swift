#if S3
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @testable import DarkroomS3

    @Suite(.bounded)
    struct CredentialsCacheTests {
        /// A provider whose answers wait at a gate.
        private final class Source: S3CredentialsProvider {
            let gate = Mutex<Gate?>(nil)
            let failure = Mutex<ImageError?>(nil)
            let lifetime = Mutex<TimeInterval?>(3_600)
            let calls = Recorder<Int>()
            let clock: ManualClock

            init(_ clock: ManualClock) { self.clock = clock }

            func credentials() async throws -> S3Credentials? {
                calls.note(1)
                let number = calls.values.count
                await gate.withLock(\.self)?.wait()
                if let failure = failure.withLock(\.self) { throw failure }
                return S3Credentials(
                    accessKeyID: "\(number)", secretAccessKey: "S",
                    expiration: lifetime.withLock(\.self).map { clock.date + $0 })
            }
        }

        private let clock = ManualClock()
        private let source: Source
        private let cache: CredentialsCache

        init() {
            source = Source(clock)
            cache = CredentialsCache(source) { [clock] in clock.date }
        }

        private func current() async throws -> String { try await cache.credentials().accessKeyID }

        private func untilRefreshed() async {
            await StateChanges.wait { [cache] in !cache.isRefreshing }
        }

        @Test func oneRequestServesAllCallers() async throws {
            let gate = Gate()
            source.gate.withLock { $0 = gate }
            let callers = (0..<20).map { _ in Task { try await cache.credentials().accessKeyID } }
            await StateChanges.wait { [cache] in cache.joinedCount == 19 }
            gate.open()
            for caller in callers { #expect(try await caller.value == "1") }
            #expect(try await current() == "1")
            #expect(source.calls.values.count == 1)
        }

        @Test func cancelledCallerLeavesAndTheOthersStay() async throws {
            let gate = Gate()
            source.gate.withLock { $0 = gate }
            let callers = (0..<2).map { _ in Task { try await cache.credentials().accessKeyID } }
            await StateChanges.wait { [cache] in cache.joinedCount == 1 }
            callers[0].cancel()
            try await expectError(.cancelled) { _ = try await callers[0].value }
            gate.open()
            #expect(try await callers[1].value == "1")
        }

        /// The time limits of all callers may be shorter than the refresh.
        @Test func refreshGoesOnWithoutCallers() async throws {
            let gate = Gate()
            source.gate.withLock { $0 = gate }
            let caller = Task { try await cache.credentials().accessKeyID }
            await gate.waitForArrivals()
            caller.cancel()
            try await expectError(.cancelled) { _ = try await caller.value }
            #expect(cache.isRefreshing)
            gate.open()
            #expect(try await current() == "1")
            #expect(source.calls.values.count == 1)
        }

        @Test func releasedCacheCancelsItsRefresh() async throws {
            let gate = Gate()
            let cancelled = Gate()
            var cache: CredentialsCache? = CredentialsCache(Hanging(gate: gate, cancelled: cancelled))
            let caller = Task { [cache] in try await cache?.credentials() }
            await gate.waitForArrivals()
            caller.cancel()
            try await expectError(.cancelled) { _ = try await caller.value }
            cache = nil
            await cancelled.waitForArrivals()
        }

        /// A provider that answers only when it is cancelled.
        private struct Hanging: S3CredentialsProvider {
            let gate: Gate
            let cancelled: Gate

            func credentials() async throws -> S3Credentials? {
                defer { cancelled.arrive() }
                try await gate.waitUnlessCancelled()
                return nil
            }
        }

        @Test func permanentCredentialsAreNotRefreshed() async throws {
            source.lifetime.withLock { $0 = nil }
            #expect(try await current() == "1")
            clock.advance(by: .seconds(1_000_000))
            #expect(try await current() == "1")
        }

        @Test func credentialsAreRefreshedInTheBackgroundBeforeTheyExpire() async throws {
            #expect(try await current() == "1")
            clock.advance(by: .seconds(3_000))
            #expect(try await current() == "1")
            #expect(!cache.isRefreshing)
            clock.advance(by: .seconds(400))
            let gate = Gate()
            source.gate.withLock { $0 = gate }
            #expect(try await current() == "1")
            #expect(cache.isRefreshing)
            gate.open()
            await untilRefreshed()
            #expect(try await current() == "2")
            #expect(source.calls.values.count == 2)
        }

        @Test func failingRefreshKeepsTheCredentialsUntilTheyExpire() async throws {
            #expect(try await current() == "1")
            source.failure.withLock { $0 = ImageError(.network, .request, "the endpoint is down") }
            clock.advance(by: .seconds(3_400))
            #expect(try await current() == "1")
            await untilRefreshed()
            #expect(try await current() == "1")
            #expect(source.calls.values.count == 2, "it is not refreshed by every call")
            clock.advance(by: .seconds(60))
            #expect(try await current() == "1")
            await untilRefreshed()
            #expect(source.calls.values.count == 3)
            clock.advance(by: .seconds(200))
            try await expectError(.network, mentioning: "down") { _ = try await current() }
            source.failure.withLock { $0 = nil }
            #expect(try await current() == "5")
        }

        @Test func missingCredentialsAreAnError() async throws {
            let cache = CredentialsCache(S3CredentialsChain([]))
            try await expectError(.refused, mentioning: "S3Configuration.credentials") {
                _ = try await cache.credentials()
            }
        }

        @Test func discardedCredentialsAreReplaced() async throws {
            let first = try await cache.credentials()
            cache.discard(S3Credentials.test)
            #expect(try await current() == "1")
            cache.discard(first)
            #expect(try await current() == "2")
        }
    }
#endif

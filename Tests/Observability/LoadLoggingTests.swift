#if Observability
    @testable import DarkroomCore
    @testable import DarkroomObservability
    import DarkroomTestKit
    import FoundationEssentials
    import InMemoryLogging
    import Logging
    import MetricsTestKit
    import Synchronization
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct LoadLoggingTests {
        private let handler = InMemoryLogHandler()
        private let key = CacheKey(source: "http://example.com/a?sig=hunter2", variant: ["Flip(1)"])

        private var logging: LoadLogging { LoadLogging(handler.logger(level: .trace)) }

        private func entry(_ record: LoadRecord) throws -> InMemoryLogHandler.Entry {
            logging.loadEnded(record)
            #expect(handler.entries.count == 1)
            return try #require(handler.entries.first)
        }

        @Test func loadLogsOneLineAtDebug() async throws {
            let rig = try Rig()
            _ = try await rig.load { $0.thumbnail = .fit(6, 6) }
            #expect(rig.handler.entries.count == 1)
            let entry = try #require(rig.handler.entries.first)
            #expect(entry.level == .debug)
            #expect(entry.message == "load completed")
            #expect(entry.metadata["url"] == "http://example.com/a.plain")
            #expect(entry.metadata["origin"] == "network")
            #expect(entry.metadata["decision"] == "not in a cache")
            #expect(entry.text("received_bytes") == "\(Rig.file.count)")
            #expect(entry.metadata["variant"] == "Thumbnail({6.000000,6.000000},1)")
            #expect(entry.text("duration_ms").flatMap { Double($0) } != nil)
            guard case .dictionary(let stages) = entry.metadata["stages_ms"] else {
                Issue.record("no stages")
                return
            }
            #expect(stages.keys.contains("decode"))
            #expect(stages.keys.contains("body"))
        }

        @Test func defaultsAreOmitted() throws {
            let entry = try entry(LoadRecord(.success(LoadResult(.memory))))
            #expect(Set(entry.metadata.keys) == ["url", "duration_ms", "origin", "decision"])
        }

        @Test func unusualValuesAreLogged() throws {
            let result = LoadResult(.network) {
                $0.isJoined = true
                $0.retryCount = 2
                $0.limits = ["scaleDownByteCount is 5, so 12×8 became 6×4"]
                $0.stages = [1, 2].map { LoadReport.Stage(step: .disk, start: .now, duration: .milliseconds($0)) }
            }
            let entry = try entry(LoadRecord(.success(result)))
            #expect(entry.metadata["joined"] == "true")
            #expect(entry.text("retries") == "2")
            #expect(entry.metadata["limits"] == ["scaleDownByteCount is 5, so 12×8 became 6×4"])
            #expect(entry.text("stages_ms") == #"["disk": "3.0"]"#)
            #expect(entry.text("duration_ms") == "1000.0")
        }

        @Test func secretsInTheURLAreNotLogged() async throws {
            let rig = try Rig(FakeLoader { throw ImageError(.network, .load, "cannot reach \($0.url), alas") })
            let url = try #require(URL(string: "https://bob:hunter2@example.com/a.plain?sig=hunter3#hunter4"))
            await #expect(throws: ImageError.self) { try await rig.load(url) }
            #expect(!rig.handler.text.contains("hunter"))
            #expect(!rig.handler.text.contains("bob"))
            let written = "https://REDACTED@example.com/a.plain?sig=REDACTED#REDACTED"
            #expect(rig.handler.entries.first?.metadata["url"] == .string(written))
            // The comma may belong to the URL.
            #expect(rig.handler.entries.first?.metadata["error"] == .string("cannot reach \(written) alas"))
        }

        @Test func customRedactionAppliesToURLsAndMessages() async throws {
            let rig = try Rig(
                FakeLoader { throw ImageError(.network, .load, "no \($0.url)") }, redaction: URLRedaction { _ in "XYZ" }
            )
            await #expect(throws: ImageError.self) { try await rig.load() }
            #expect(rig.handler.entries.first?.metadata["url"] == "XYZ")
            #expect(rig.handler.entries.first?.metadata["error"] == "no XYZ")
        }

        @Test func disabledLevelsCreateNoMetadata() {
            let redacted = Mutex(0)
            let logging = LoadLogging(
                handler.logger(level: .critical),
                redaction: URLRedaction { _ in
                    redacted.withLock { $0 += 1 }
                    return ""
                })
            logging.loadEnded(LoadRecord(.success(LoadResult(.memory))))
            logging.loadEnded(LoadRecord(.failure(ImageError(.network, .load, "http://example.com"))))
            logging.cacheFailed(ImageError(.internal, .cache, "http://example.com"), isRead: true, key: key)
            #expect(handler.entries.isEmpty)
            #expect(redacted.withLock { $0 } == 0)
        }

        @Test func failureIsLoggedWithKindAndStage() async throws {
            let rig = try Rig(FakeLoader(Data("plain!".utf8)))
            await #expect(throws: ImageError.self) { try await rig.load() }
            let entry = try #require(rig.handler.entries.first)
            #expect(entry.message == "load failed")
            #expect(entry.level == .debug)
            #expect(entry.metadata["error_kind"] == "incomplete")
            #expect(entry.metadata["error_stage"] == "decode")
            #expect(entry.metadata["error"] == "the header is truncated")
        }

        @Test func statusOfAResponseIsLoggedWithoutItsHeaders() throws {
            let response = ResponseMetadata(url: Rig.url, status: 404, headers: ["set-cookie": "hunter2"])
            let error = ImageError(.status, .load, "the origin returned status 404", response: response)
            #expect(try entry(LoadRecord(.failure(error))).text("status") == "404")
            #expect(!handler.text.contains("hunter"))
        }

        @Test(arguments: [
            (ImageError.Kind.network, Logger.Level.error), (.internal, .error), (.cancelled, .notice),
            (.cacheOnlyMiss, .notice),
        ])
        func intendedFailuresDoNotHaveTheFailureLevel(kind: ImageError.Kind, level: Logger.Level) {
            var logging = logging
            logging.level = .notice
            logging.failureLevel = .error
            logging.loadEnded(LoadRecord(.failure(ImageError(kind, .load, "no"))))
            #expect(handler.entries.map(\.level) == [level])
        }

        @Test func staleImageIsLoggedAtInfo() async throws {
            let isDown = Atomic(false)
            let rig = try Rig(
                FakeLoader { _ in
                    if isDown.load(ordering: .relaxed) { throw ImageError(.network, .load, "unreachable") }
                    let metadata = ResponseMetadata(url: Rig.url, status: 200, headers: ["cache-control": "max-age=0"])
                    return LoadResponse(.data(Rig.file), metadata: metadata)
                })
            _ = try await rig.load()
            isDown.store(true, ordering: .relaxed)
            #expect(try await rig.load().isStale)
            #expect(rig.handler.entries.map(\.level) == [.debug, .info])
            #expect(rig.handler.entries.last?.metadata["stale"] == "true")
            #expect(rig.handler.entries.last?.metadata["decision"] == "stale: the origin server failed (network)")
            #expect(rig.metrics.counterTotal(label: "darkroom_stale_loads_total") == 1)
        }

        @Test func cacheFailuresAreWarnedAboutOncePerInterval() async throws {
            let rig = try Rig()
            rig.data.fail(with: ImageError(.internal, .cache, "disk full at http://example.com/a.plain?sig=hunter2"))
            _ = try await rig.load()
            rig.images.removeAll()
            _ = try await rig.load()
            let failures = rig.handler.entries.filter { $0.message == "cache operation failed" }
            let reads = failures.filter { $0.metadata["operation"] == "read" }
            let writes = failures.filter { $0.metadata["operation"] == "write" }
            #expect(reads.map(\.level) == [.warning, .debug])
            #expect(writes.map(\.level) == [.warning, .debug])
            #expect(reads.first?.metadata["url"] == "http://example.com/a.plain")
            #expect(reads.first?.text("suppressed") == "0")
            #expect(!rig.handler.text.contains("hunter"))
        }

        @Test func warningContainsTheNumberOfSuppressedOnes() {
            let limit = WarningLimit(interval: .seconds(60))
            let now = ContinuousClock.now
            #expect(limit.pass(at: now) == 0)
            #expect(limit.pass(at: now + .seconds(1)) == nil)
            #expect(limit.pass(at: now + .seconds(59)) == nil)
            #expect(limit.pass(at: now + .seconds(60)) == 2)
            #expect(limit.pass(at: now + .seconds(61)) == nil)
            #expect(limit.pass(at: now + .seconds(200)) == 1)
            #expect(limit.pass(at: now + .seconds(300)) == 0)
        }

        @Test func secretsInKeysAreNotLogged() {
            logging.cacheFailed(ImageError(.internal, .cache, "broken"), isRead: false, key: key)
            #expect(handler.entries.first?.metadata["url"] == "http://example.com/a?sig=REDACTED")
            #expect(handler.entries.first?.metadata["variant"] == "Flip(1)")
            #expect(!handler.text.contains("hunter"))
        }

        @Test(arguments: [CancellationError() as any Error, ImageError.cancelled])
        func cancelledCacheOperationIsNoFailure(error: any Error) {
            logging.cacheFailed(error, isRead: true, key: key)
            #expect(handler.entries.isEmpty)
        }
    }
#endif

#if Observability
    @testable import DarkroomCore
    import DarkroomObservability
    import DarkroomTestKit
    import FoundationEssentials
    import InMemoryTracing
    import TestSupport
    import Testing
    import Tracing

    @Suite(.bounded)
    struct LoadTracingTests {
        private let tracer = InMemoryTracer()

        private func load(_ spans: [FinishedInMemorySpan]) throws -> FinishedInMemorySpan {
            let loads = spans.filter { $0.operationName == "darkroom.load" }
            #expect(loads.count == 1)
            return try #require(loads.first)
        }

        private func span(of record: LoadRecord) throws -> FinishedInMemorySpan {
            LoadTracing(tracer).loadEnded(record)
            return try load(tracer.finishedSpans)
        }

        @Test func loadIsASpanWithAChildForEachStage() async throws {
            let rig = try Rig()
            let result = try await rig.load { $0.thumbnail = .fit(6, 6) }
            let load = try load(rig.tracer.finishedSpans)
            #expect(load.parentSpanID == nil)
            let children = rig.tracer.finishedSpans.filter { $0.parentSpanID == load.spanID }
            #expect(children.map(\.operationName) == result.report.stages.map { "darkroom.\($0.step)" })
            #expect(children.map(\.operationName).contains("darkroom.decode"))
            #expect(rig.tracer.activeSpans.isEmpty)
            #expect(load.status == nil)
            #expect(load.attributes.get("url.full") == "http://example.com/a.plain")
            #expect(load.attributes.get("darkroom.origin") == "network")
            #expect(load.attributes.get("darkroom.decision") == "not in a cache")
            #expect(load.attributes.get("darkroom.variant") == "Thumbnail({6.000000,6.000000},1)")
            #expect(load.attributes.get("darkroom.received_bytes") == .int64(Int64(Rig.file.count)))
            #expect(load.attributes.get("darkroom.joined") == .bool(false))
        }

        @Test func sharedCacheAndLeasesHaveSpans() async throws {
            var sharing = SharedCaching(FakeDataCache(), leases: FakeLeases(clock: ManualClock()))
            sharing.clock = ManualClock()
            let rig = try Rig { [sharing] in $0.shared = sharing }
            _ = try await rig.load { $0.thumbnail = .fit(6, 6) }
            let load = try load(rig.tracer.finishedSpans)
            let children = rig.tracer.finishedSpans.filter { $0.parentSpanID == load.spanID }
            #expect(Set(children.map(\.operationName)).isSuperset(of: ["darkroom.shared", "darkroom.lease"]))
        }

        @Test func spansHaveTheTimesOfTheRecord() throws {
            let before = DefaultTracerClock.now.nanosecondsSinceEpoch
            let start = ContinuousClock.now - .seconds(100)
            let result = LoadResult(.network) {
                $0.stages = [
                    LoadReport.Stage(step: .body, start: start + .seconds(1), duration: .seconds(2)),
                    LoadReport.Stage(step: .decode, start: start + .seconds(5), duration: .milliseconds(1)),
                ]
            }
            LoadTracing(tracer).loadEnded(
                LoadRecord(
                    url: Rig.url, context: ImageContext(), interval: start..<(start + .seconds(10)),
                    result: .success(result)))
            let after = DefaultTracerClock.now.nanosecondsSinceEpoch
            let load = try load(tracer.finishedSpans)
            let loadStart = load.startInstant.nanosecondsSinceEpoch
            #expect(loadStart + 100_000_000_000 >= before - 1_000_000_000)
            #expect(loadStart + 100_000_000_000 <= after + 1_000_000_000)
            let times = tracer.finishedSpans.map {
                [$0.startInstant, $0.endInstant].map { $0.nanosecondsSinceEpoch - loadStart }
            }
            let second: UInt64 = 1_000_000_000
            #expect(
                times == [[second, 3 * second], [5 * second, 5 * second + 1_000_000], [0, 10 * second]])
        }

        @Test func spanIsAChildOfTheCallersContext() async throws {
            let rig = try Rig()
            let parent = try await rig.tracer.withSpan("request") { span in
                _ = try await rig.load()
                return span
            }
            let load = try load(rig.tracer.finishedSpans)
            #expect(load.parentSpanID == parent.spanID)
            #expect(load.traceID == parent.traceID)
        }

        @Test func eachCallerOfASharedRunHasItsOwnSpan() async throws {
            let gate = Gate()
            let rig = try Rig(
                FakeLoader { _ in
                    await gate.wait()
                    return LoadResponse(.data(Rig.file))
                })
            async let first = rig.load()
            await gate.waitForArrivals()
            let joined = AsyncStream.makeStream(of: Void.self)
            async let second = rig.manager.load(Rig.url, context: ImageContext { $0.waitsForStore = true }) { _ in
                joined.continuation.yield()
            }
            for await _ in joined.stream { break }
            gate.open()
            _ = try await (first, second)
            let loads = rig.tracer.finishedSpans.filter { $0.operationName == "darkroom.load" }
            #expect(Set(loads.map { $0.attributes.get("darkroom.joined") == .bool(true) }) == [true, false])
            for load in loads {
                let children = rig.tracer.finishedSpans.filter { $0.parentSpanID == load.spanID }
                #expect(children.contains { $0.operationName == "darkroom.decode" })
            }
        }

        @Test func errorIsRecordedWithoutSecrets() throws {
            let underlying = ImageError(.network, .load, "s3cret")
            let url = try #require(URL(string: "http://u:s3cret@e.com/?k=s3cret"))
            let response = ResponseMetadata(url: url, status: 404, headers: ["set-cookie": "s3cret"])
            let error = ImageError(
                .status, .load, "404 of http://e.com/?k=s3cret", underlying: underlying, response: response)
            let span = try span(of: LoadRecord(.failure(error), url: url))
            #expect(span.status == SpanStatus(code: .error, message: "404 of http://e.com/?k=REDACTED"))
            #expect(span.attributes.get("error.type") == "status")
            #expect(span.attributes.get("darkroom.error.stage") == "load")
            #expect(span.attributes.get("url.full") == "http://REDACTED@e.com/?k=REDACTED")
            let recorded = try #require(span.errors.first?.error as? ImageError)
            #expect(recorded.kind == .status)
            #expect(recorded.message == "404 of http://e.com/?k=REDACTED")
            #expect(recorded.underlying == nil)
            #expect(recorded.response == nil)
            #expect(span.attributes.get("http.response.status_code") == .int64(404))
        }

        @Test(arguments: [ImageError.Kind.cancelled, .cacheOnlyMiss])
        func intendedFailureIsNoError(kind: ImageError.Kind) throws {
            let span = try span(of: LoadRecord(.failure(ImageError(kind, .load, "no"))))
            #expect(span.status == nil)
            #expect(span.errors.isEmpty)
            #expect(span.attributes.get("error.type") == .string(kind.rawValue))
        }

        @Test func activeTracerIsUsedForEachLoad() async throws {
            let manager = try ImageManager {
                $0.install(FakeLoader(Rig.file))
                $0.install(PlainCoder())
                $0.install(LoadTracing())
            }
            _ = try await manager.load(Rig.url)
            try await withTracer(tracer) { _ = try await manager.load(Rig.url) }
            _ = try load(tracer.finishedSpans)
        }
    }
#endif

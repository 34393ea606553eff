#if Observability
    public import DarkroomCore
    import DarkroomPlatform
    public import Tracing

    /// Records a span `darkroom.load` for each load, as a child of the caller's, and a child span for each stage, such
    /// as `darkroom.decode`.
    ///
    /// Spans are created after the load, with the times of its record. A load that joined one in flight has the stages
    /// of the shared work, which may have started earlier. A failed load has no stages.
    public struct LoadTracing: LoadObserver {
        private let tracer: (any Tracer)?
        private let redaction: URLRedaction

        /// Creates an observer that records spans with `tracer`; without one, with the tracer active when a load ends.
        public init(_ tracer: (any Tracer)? = nil, redaction: URLRedaction = .standard) {
            self.tracer = tracer
            self.redaction = redaction
        }

        /// Records the spans of the load.
        public func loadEnded(_ record: LoadRecord) {
            guard let tracer = tracer ?? Self.systemTracer else { return }
            let clock = WallClock()
            let span = tracer.startSpan(
                "darkroom.load", context: .current ?? .topLevel, at: clock.time(of: record.start))
            let end = record.start + record.duration
            if span.isRecording {
                span.attributes.merge(record.attributes(redactedBy: redaction))
                switch record.result {
                case .success(let result): trace(result.report.stages, below: span, with: tracer, clock: clock)
                case .failure(let error): recordFailure(error, on: span, at: clock.time(of: end))
                }
            }
            span.end(at: clock.time(of: end))
        }

        /// The tracer of the process or the task; `nil` when there is none.
        private static var systemTracer: (any Tracer)? {
            // Checking the type of the instrument is cheaper than looking for a tracer.
            guard !(InstrumentationSystem.instrument is NoOpInstrument) else { return nil }
            let tracer = InstrumentationSystem.tracer
            return tracer is NoOpTracer ? nil : tracer
        }

        private func trace(
            _ stages: [LoadReport.Stage], below parent: any Tracing.Span, with tracer: any Tracer, clock: WallClock
        ) {
            for stage in stages {
                let span = tracer.startSpan(
                    "darkroom.\(stage.step.rawValue)", context: parent.context, at: clock.time(of: stage.start))
                span.end(at: clock.time(of: stage.start + stage.duration))
            }
        }

        private func recordFailure(_ error: ImageError, on span: any Tracing.Span, at time: WallClock.Time) {
            guard !error.isIntended else { return }
            let error = error.redacted(by: redaction)
            span.recordError(error, attributes: [:], at: time)
            span.setStatus(SpanStatus(code: .error, message: error.message))
        }
    }

    /// Converts instants to the time of day, using the current time of both clocks.
    private struct WallClock {
        typealias Time = DefaultTracerClock.Timestamp

        private let now = ContinuousClock.now
        private let time = DefaultTracerClock.now.nanosecondsSinceEpoch

        func time(of instant: ContinuousClock.Instant) -> Time {
            Time(nanosecondsSinceEpoch: UInt64(clamping: Int64(clamping: time) - (now - instant).nanoseconds))
        }
    }

    extension LoadRecord {
        fileprivate func attributes(redactedBy redaction: URLRedaction) -> SpanAttributes {
            var attributes = SpanAttributes(["url.full": .string(redaction(url.absoluteString))])
            switch result {
            case .success(let result): attributes.merge(result.attributes(redactedBy: redaction))
            case .failure(let error):
                attributes["error.type"] = error.kind.rawValue
                attributes["darkroom.error.stage"] = error.stage.rawValue
                attributes["http.response.status_code"] = error.response?.status
            }
            return attributes
        }
    }

    extension LoadResult {
        fileprivate func attributes(redactedBy redaction: URLRedaction) -> SpanAttributes {
            var attributes: SpanAttributes = [
                "darkroom.origin": .string(origin.rawValue),
                "darkroom.decision": .string(report.decision.description),
                "darkroom.received_bytes": .int64(Int64(report.receivedByteCount)),
                "darkroom.retries": .int64(Int64(report.retryCount)),
                "darkroom.joined": .bool(report.isJoined),
                "darkroom.stale": .bool(isStale),
            ]
            if let variant = key?.variant, !variant.isEmpty {
                attributes["darkroom.variant"] = redaction.text(variant.joined(separator: "-"))
            }
            if !report.limits.isEmpty { attributes["darkroom.limits"] = report.limits.map { redaction.text($0) } }
            return attributes
        }
    }
#endif

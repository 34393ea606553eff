#if Observability
    import DarkroomCore
    import DarkroomPlatform
    import Logging

    extension LoadRecord {
        /// Returns the log metadata of a successful load. Default values are omitted.
        func metadata(of result: LoadResult, redactedBy redaction: URLRedaction) -> Logger.Metadata {
            let report = result.report
            var metadata = metadata(redactedBy: redaction)
            metadata["origin"] = .string(result.origin.rawValue)
            metadata["decision"] = .string(report.decision.description)
            if result.isStale { metadata["stale"] = "true" }
            if let variant = result.key?.variant, !variant.isEmpty {
                metadata["variant"] = .string(redaction.text(variant.joined(separator: "-")))
            }
            if report.receivedByteCount > 0 {
                metadata["received_bytes"] = .stringConvertible(report.receivedByteCount)
            }
            if report.retryCount > 0 { metadata["retries"] = .stringConvertible(report.retryCount) }
            if report.isJoined { metadata["joined"] = "true" }
            if !report.stages.isEmpty { metadata["stages_ms"] = .dictionary(report.durations) }
            if !report.limits.isEmpty { metadata["limits"] = .array(report.limits.map { .string(redaction.text($0)) }) }
            return metadata
        }

        /// Returns the log metadata of a failed load.
        func metadata(of error: ImageError, redactedBy redaction: URLRedaction) -> Logger.Metadata {
            var metadata = metadata(redactedBy: redaction)
            metadata["error"] = .string(redaction.text(error.message))
            metadata["error_kind"] = .string(error.kind.rawValue)
            metadata["error_stage"] = .string(error.stage.rawValue)
            if let status = error.response?.status { metadata["status"] = .stringConvertible(status) }
            return metadata
        }

        private func metadata(redactedBy redaction: URLRedaction) -> Logger.Metadata {
            ["url": .string(redaction(url.absoluteString)), "duration_ms": .stringConvertible(duration.milliseconds)]
        }
    }

    extension LoadReport {
        /// The milliseconds spent in each step.
        fileprivate var durations: Logger.Metadata {
            let times = stages.map { ($0.step.rawValue, $0.duration) }
            return Dictionary(times, uniquingKeysWith: +).mapValues { .stringConvertible($0.milliseconds) }
        }
    }

    extension Duration {
        /// The duration in milliseconds, to the microsecond.
        fileprivate var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }

        /// The duration in nanoseconds, the unit of clocks and meters.
        var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
    }
#endif

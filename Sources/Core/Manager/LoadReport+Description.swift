extension LoadReport: CustomStringConvertible {
    /// One line, such as `revalidated: changed; connect 12.1 ms, body 30.52 ms, decode 4.2 ms (libjpeg at 1/8); 58432 bytes
    /// received; joined another load`. It is meant to be read, and may change with any version.
    public var description: String {
        var parts = ["\(decision)"]
        if !stages.isEmpty { parts.append(stages.map(\.description).joined(separator: ", ")) }
        if receivedByteCount > 0 { parts.append("\(receivedByteCount) bytes received") }
        if retryCount > 0 { parts.append(retryCount == 1 ? "1 retry" : "\(retryCount) retries") }
        if isJoined { parts.append("joined another load") }
        if isTransferJoined { parts.append("joined another transfer") }
        return (parts + limits).joined(separator: "; ")
    }
}

extension LoadReport.Stage: CustomStringConvertible {
    /// The step and its duration, such as `decode 4.2 ms (libjpeg at 1/8)`.
    public var description: String {
        let milliseconds = (duration / .microseconds(10)).rounded() / 100
        return "\(step.rawValue) \(milliseconds) ms\(detail.map { " (\($0))" } ?? "")"
    }
}

#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    /// The position in a body, and the conditions under which other bytes continue it (RFC 9110, section 14).
    struct Resumption: Sendable {
        /// Thrown for bytes that cannot belong to the body.
        struct Mismatch: Error {}

        private let validator: String
        private let fieldName: String
        private var byteCount: Int?
        private var offset = 0
        private var skippedByteCount = 0

        /// Starts at the beginning of the body of `response`; `nil` when nothing would prove that other bytes continue
        /// it.
        init?(_ response: HTTPResponseHead) {
            guard response.status == .ok, !response.isEncoded,
                response.headers.first(name: "accept-ranges")?.asciiLowercased != "none",
                let (fieldName, validator) = response.headers.strongValidator
            else { return nil }
            self.fieldName = fieldName
            self.validator = validator
            byteCount = response.headers.first(name: "content-length").flatMap { Int(decimal: $0) }
        }

        /// Returns the header fields of a request for the rest, based on those of the first request.
        func headers(after first: HTTPHeaders) -> HTTPHeaders {
            var headers = first
            for name in ["If-None-Match", "If-Modified-Since"] { headers.remove(name: name) }
            // Ranges count encoded bytes, so the body must be sent without encoding.
            headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
            headers.replaceOrAdd(name: "Range", value: "bytes=\(offset)-")
            headers.replaceOrAdd(name: "If-Range", value: validator)
            return headers
        }

        /// Continues with the body of `response` if it is the rest, or the whole body from its beginning.
        mutating func `continue`(with response: HTTPResponseHead) throws(Mismatch) {
            let isPart = response.status == .partialContent
            let found = response.headers.first(name: fieldName)
            // A partial response need not repeat a date (section 15.3.7), but if it does, the date must match.
            guard isPart || response.status == .ok, !response.isEncoded,
                found?.hasBytes(of: validator) ?? (isPart && fieldName == "last-modified")
            else { throw Mismatch() }
            let length = response.headers.first(name: "content-length").flatMap { Int(decimal: $0) }
            let total = isPart ? response.headers.contentRangeTotal(from: offset) : length ?? byteCount
            let hasRightLength = length == nil || length == total.map { isPart ? $0 - offset : $0 }
            guard byteCount == nil || byteCount == total, !isPart || total != nil, hasRightLength else {
                throw Mismatch()
            }
            byteCount = total
            skippedByteCount = isPart ? 0 : offset
        }

        /// Returns the part of `chunk` that continues the body; `nil` at its end.
        mutating func take(_ chunk: Data?) throws(Mismatch) -> Data? {
            guard let chunk else {
                guard skippedByteCount == 0, byteCount == nil || byteCount == offset else { throw Mismatch() }
                return nil
            }
            let skipped = min(skippedByteCount, chunk.count)
            skippedByteCount -= skipped
            offset += chunk.count - skipped
            if let byteCount, offset > byteCount { throw Mismatch() }
            return skipped == 0 ? chunk : Data(chunk.dropFirst(skipped))
        }
    }

    extension HTTPHeaders {
        /// A validator that changes with every byte (RFC 9110, section 8.8), and the name of its field.
        fileprivate var strongValidator: (fieldName: String, value: String)? {
            if let tag = first(name: "etag") {
                let quote = UInt8(ascii: "\"")
                return tag.utf8.first == quote && tag.utf8.last == quote && tag.utf8.count > 1 ? ("etag", tag) : nil
            }
            // A date is strong if no second change can have happened within the same second; a minute is enough to
            // be sure.
            guard let modified = first(name: "last-modified"),
                let date = first(name: "date").flatMap({ Date(httpDate: $0) }),
                let modifiedDate = Date(httpDate: modified), date.timeIntervalSince(modifiedDate) >= 60
            else { return nil }
            return ("last-modified", modified)
        }

        /// Returns the total length if the range covers everything from `offset` on.
        fileprivate func contentRangeTotal(from offset: Int) -> Int? {
            let fields = self["content-range"]
            return fields.count == 1 ? fields[0].contentRangeTotal(from: offset) : nil
        }
    }
#endif

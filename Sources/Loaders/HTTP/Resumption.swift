#if HTTP
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// How far a body got, and what must hold for other bytes to be its rest (RFC 9110, section 14).
    struct Resumption: Sendable {
        /// Bytes came that cannot belong to the body.
        struct Mismatch: Error {}

        private let validator: String
        private let fieldName: String
        private var byteCount: Int?
        private var offset = 0
        private var skippedByteCount = 0

        /// The body of `response` from its beginning; `nil` when nothing would prove that other bytes are its rest.
        init?(_ response: HTTPResponseHead) {
            guard response.status == .ok, !response.isEncoded,
                response.headers.first(name: "accept-ranges")?.asciiLowercased != "none",
                let (fieldName, validator) = response.headers.strongValidator
            else { return nil }
            self.fieldName = fieldName
            self.validator = validator
            byteCount = response.headers.first(name: "content-length").flatMap { Int(decimal: $0) }
        }

        /// The fields of a request for the rest: those of the first one, as far as they fit.
        func headers(after first: HTTPHeaders) -> HTTPHeaders {
            var headers = first
            for name in ["If-None-Match", "If-Modified-Since"] { headers.remove(name: name) }
            // Positions count in what is sent, so that must be what is kept.
            headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
            headers.replaceOrAdd(name: "Range", value: "bytes=\(offset)-")
            headers.replaceOrAdd(name: "If-Range", value: validator)
            return headers
        }

        /// Goes on with the body of `response`, if that is the rest, or the whole from its beginning.
        mutating func `continue`(with response: HTTPResponseHead) throws(Mismatch) {
            let isPart = response.status == .partialContent
            let found = response.headers.first(name: fieldName)
            // A part need not repeat a date (section 15.3.7), but what it says must be the same.
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

        /// What of `chunk` comes next in the body; `nil` at its end.
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
        /// A validator that changes whenever a byte does (RFC 9110, section 8.8), and the field that has it.
        fileprivate var strongValidator: (fieldName: String, value: String)? {
            if let tag = first(name: "etag") {
                let quote = UInt8(ascii: "\"")
                return tag.utf8.first == quote && tag.utf8.last == quote && tag.utf8.count > 1 ? ("etag", tag) : nil
            }
            // A date is strong when there cannot have been a second change within it, for which a minute is enough.
            guard let modified = first(name: "last-modified"),
                let date = first(name: "date").flatMap({ Date(httpDate: $0) }),
                let modifiedDate = Date(httpDate: modified), date.timeIntervalSince(modifiedDate) >= 60
            else { return nil }
            return ("last-modified", modified)
        }

        /// The length of the whole, if the range is all of it from `offset` on.
        fileprivate func contentRangeTotal(from offset: Int) -> Int? {
            let fields = self["content-range"]
            guard fields.count == 1, let range = fields.first, range.startsIgnoringASCIICase(with: "bytes ") else {
                return nil
            }
            let parts = Substring(range.utf8.dropFirst(6)).fields(separatedBy: UInt8(ascii: "/"))
            let bounds = parts[0].fields(separatedBy: UInt8(ascii: "-"))
            guard parts.count == 2, bounds.count == 2, let total = Int(decimal: parts[1]), offset < total,
                Int(decimal: bounds[0]) == offset, Int(decimal: bounds[1]) == total - 1
            else { return nil }
            return total
        }
    }
#endif

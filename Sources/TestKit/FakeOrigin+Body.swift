import DarkroomCore
import DarkroomPlatform

extension FakeOrigin {
    /// Returns the bytes of `response`, and those of further requests after the connection breaks.
    func chunks(of response: SentResponse, to request: LoadRequest) -> some AsyncSequence<Data, any Error> & Sendable {
        Body(origin: self, first: response, request: request)
    }
}

private struct Body: AsyncSequence, Sendable {
    let origin: FakeOrigin
    let first: FakeOrigin.SentResponse
    let request: LoadRequest

    func makeAsyncIterator() -> Iterator { Iterator(origin: origin, response: first, request: request) }

    struct Iterator: AsyncIteratorProtocol {
        let origin: FakeOrigin
        var response: FakeOrigin.SentResponse
        let request: LoadRequest
        var sentByteCount = 0
        var chunkIndex = 0
        var position: Int { response.range.lowerBound + sentByteCount }

        mutating func next() async throws -> Data? {
            do {
                return try await nextOfResponse()
            } catch {
                if error is CancellationError || Task.isCancelled { throw ImageError.cancelled }
                try await resume(
                    after: ImageError(.network, .load, "the connection broke: \(error)", underlying: error))
                return try await next()
            }
        }

        private mutating func nextOfResponse() async throws -> Data? {
            guard position < response.range.upperBound else { return nil }
            try await response.whole.willSend(chunkIndex)
            try Task.checkCancellation()
            var end = Swift.min(position + Swift.max(response.whole.chunkByteCount, 1), response.range.upperBound)
            if let bound = response.whole.breaksAfter {
                guard sentByteCount < bound else { throw Broken() }
                end = Swift.min(end, position + bound - sentByteCount)
            }
            let chunk = Data(
                response.whole.body[
                    (response.whole.body.startIndex + position)..<(response.whole.body.startIndex + end)])
            sentByteCount += chunk.count
            chunkIndex += 1
            return chunk
        }

        /// Requests the missing range. Throws `error` if the response is not proven to be the rest of the same body.
        private mutating func resume(after error: ImageError) async throws {
            guard let tag = response.headers["etag"], !tag.hasPrefix("W/"), sentByteCount > 0 || position > 0 else {
                throw error
            }
            request.report(.retries(after: .zero, because: error))
            let (sent, whole) = try await origin.send(
                to: request.url,
                headers: origin.requestFields(for: request).merging(["range": "bytes=\(position)-", "if-range": tag]) {
                    $1
                })
            let rest = whole.sent(to: sent)
            guard rest.status == 206, rest.headers["etag"] == tag, rest.range.upperBound == response.range.upperBound
            else {
                throw error
            }
            response = rest
            sentByteCount = 0
            chunkIndex = 0
        }
    }

    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the origin sent no more" }
    }
}

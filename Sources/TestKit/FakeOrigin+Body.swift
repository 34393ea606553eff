import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FakeOrigin {
    /// Returns the bytes of `reply`, and those of further requests after the connection breaks.
    func chunks(_ reply: Reply, _ request: LoadRequest) -> some AsyncSequence<Data, any Error> & Sendable {
        Body(origin: self, first: reply, request: request)
    }
}

private struct Body: AsyncSequence, Sendable {
    let origin: FakeOrigin
    let first: FakeOrigin.Reply
    let request: LoadRequest

    func makeAsyncIterator() -> Iterator { Iterator(origin: origin, reply: first, request: request) }

    struct Iterator: AsyncIteratorProtocol {
        let origin: FakeOrigin
        var reply: FakeOrigin.Reply
        let request: LoadRequest
        var sentByteCount = 0
        var chunkIndex = 0
        var position: Int { reply.range.lowerBound + sentByteCount }

        mutating func next() async throws -> Data? {
            do {
                return try await nextOfReply()
            } catch {
                if error is CancellationError || Task.isCancelled { throw ImageError.cancelled }
                try await goOn(after: ImageError(.network, .load, "the connection broke: \(error)", underlying: error))
                return try await next()
            }
        }

        private mutating func nextOfReply() async throws -> Data? {
            guard position < reply.range.upperBound else { return nil }
            try await reply.answer.willSend(chunkIndex)
            try Task.checkCancellation()
            var end = Swift.min(position + Swift.max(reply.answer.chunkByteCount, 1), reply.range.upperBound)
            if let bound = reply.answer.breaksAfter {
                guard sentByteCount < bound else { throw Broken() }
                end = Swift.min(end, position + bound - sentByteCount)
            }
            let chunk = Data(
                reply.answer.body[(reply.answer.body.startIndex + position)..<(reply.answer.body.startIndex + end)])
            sentByteCount += chunk.count
            chunkIndex += 1
            return chunk
        }

        /// Requests the missing range. Throws `error` if the response is not proven to be the rest of the same body.
        private mutating func goOn(after error: ImageError) async throws {
            guard let tag = reply.headers["etag"], !tag.hasPrefix("W/"), sentByteCount > 0 || position > 0 else {
                throw error
            }
            request.report(.retries(after: .zero, because: error))
            let (asked, answer) = try await origin.ask(
                request.url,
                origin.requestFields(for: request).merging(["range": "bytes=\(position)-", "if-range": tag]) { $1 })
            let rest = answer.reply(to: asked)
            guard rest.status == 206, rest.headers["etag"] == tag, rest.range.upperBound == reply.range.upperBound
            else {
                throw error
            }
            reply = rest
            sentByteCount = 0
            chunkIndex = 0
        }
    }

    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the origin sent no more" }
    }
}

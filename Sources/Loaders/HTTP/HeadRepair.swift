#if HTTP
    import DarkroomCore
    import DarkroomHTTPGuard
    import NIOCore
    import NIOHTTP1

    /// Rewrites heads of responses that curl and browsers accept, but the parser of swift-nio does not.
    ///
    /// Lines may end with a line feed only or be folded, names may be followed by spaces, and fields `Content-Length` may be
    /// repeated if they are equal. A first line without an end, whose length that parser does not limit, is refused.
    /// Everything else is passed on as it is.
    final class HeadRepair: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = HTTPClientRequestPart

        private enum State {
            /// The beginning of a head. `lineStart` is the offset of the last line that has begun.
            case head(ByteBuffer, lineStart: Int, searched: Int)
            case body
            case refused

            static let start = State.head(ByteBuffer(), lineStart: 0, searched: 0)
        }

        /// The size of a head from which it is passed on as it is.
        private static let byteLimit = 64 << 10

        private var state = State.start

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // The response to a new request begins with a head.
            if case .body = state { state = .start }
            context.write(data, promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .refused = state { return }
            guard case .head(var held, let lineStart, let searched) = state else {
                return context.fireChannelRead(data)
            }
            // Otherwise each write would copy what is held.
            state = .body
            held.writeImmutableBuffer(unwrapInboundIn(data))
            state = .head(held, lineStart: lineStart, searched: searched)
            while passHead(context) {}
        }

        /// Refuses a head that would be passed on without its first line being complete.
        private func refuse(_ context: ChannelHandlerContext) {
            state = .refused
            context.fireErrorCaught(RefusedResponse.statusLine(limit: Self.byteLimit))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            pass(context)
            context.fireChannelInactive()
        }

        /// Passes on a head if it is complete. Returns whether another one follows it.
        private func passHead(_ context: ChannelHandlerContext) -> Bool {
            guard case .head(var held, var lineStart, var searched) = state else { return false }
            let bytes = held.readableBytesView
            guard bytes.prefix(5).elementsEqual("HTTP/".utf8.prefix(bytes.count)), bytes.count < Self.byteLimit else {
                if bytes.count < Self.byteLimit || bytes.contains(UInt8(ascii: "\n")) {
                    pass(context)
                } else {
                    refuse(context)
                }
                return false
            }
            while let feed = bytes.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                let end = feed - bytes.startIndex
                let isEmpty = bytes[(bytes.startIndex + lineStart)..<feed].allSatisfy { $0 == UInt8(ascii: "\r") }
                (lineStart, searched) = (end + 1, end + 1)
                guard isEmpty, let head = held.readSlice(length: end + 1) else { continue }
                let text = ResponseHeadText(head.readableBytesView)
                state = text.isInformational ? .head(held, lineStart: 0, searched: 0) : .body
                context.fireChannelRead(wrapInboundOut(text.repaired.map { ByteBuffer(bytes: $0) } ?? head))
                if !text.isInformational, held.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(held)) }
                return text.isInformational && held.readableBytes > 0
            }
            state = .head(held, lineStart: lineStart, searched: bytes.count)
            return false
        }

        /// Passes on what has been held back.
        private func pass(_ context: ChannelHandlerContext) {
            guard case .head(let held, _, _) = state else { return }
            state = .body
            if held.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(held)) }
        }
    }

    /// The bytes of a head, to its empty line.
    private struct ResponseHeadText {
        private let lines: [ArraySlice<UInt8>]
        private let hasBareFeeds: Bool

        init(_ bytes: ByteBufferView) {
            var lines = Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // After the last line feed.
            lines.removeLast()
            hasBareFeeds = lines.contains { $0.last != UInt8(ascii: "\r") }
            self.lines = lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        }

        /// Whether another head follows.
        var isInformational: Bool {
            let status = lines[0].split(separator: UInt8(ascii: " ")).dropFirst().first ?? []
            return status.count == 3 && status.first == UInt8(ascii: "1") && !status.elementsEqual("101".utf8)
        }

        /// The head in standard form; `nil` if it has that form already, or cannot be repaired.
        var repaired: [UInt8]? {
            var (fields, isChanged): ([ArraySlice<UInt8>], Bool) = ([], hasBareFeeds)
            for line in lines.dropFirst().dropLast() {
                if let first = line.first, first.isBlank {
                    guard let last = fields.indices.last else { return nil }
                    fields[last].append(UInt8(ascii: " "))
                    fields[last].append(contentsOf: line.drop(while: \.isBlank))
                    isChanged = true
                } else {
                    fields.append(line)
                }
            }
            let plain = fields.map(\.withoutBlankBeforeColon)
            let unique = Self.withoutRepeatedLength(plain)
            guard isChanged || unique != fields else { return nil }
            return ([lines[0]] + unique + [[]]).flatMap { $0 + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
        }
    }

    extension ResponseHeadText {
        /// Returns the fields with one `Content-Length`, if all there are have the same value.
        private static func withoutRepeatedLength(_ fields: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
            let lengths = fields.map(\.contentLength)
            guard Set(lengths.compactMap(\.self)).count == 1, let first = lengths.firstIndex(where: { $0 != nil })
            else {
                return fields
            }
            return fields.indices.filter { $0 == first || lengths[$0] == nil }.map { fields[$0] }
        }
    }

    extension ArraySlice<UInt8> {
        /// This line without spaces in front of its colon.
        fileprivate var withoutBlankBeforeColon: ArraySlice<UInt8> {
            guard let colon = firstIndex(of: UInt8(ascii: ":")),
                let end = self[..<colon].lastIndex(where: { !$0.isBlank }),
                index(after: end) != colon
            else { return self }
            return self[...end] + self[colon...]
        }

        /// The value of this line if it is the field `Content-Length`.
        fileprivate var contentLength: String? {
            guard let colon = firstIndex(of: UInt8(ascii: ":")),
                String(decoding: self[..<colon], as: UTF8.self).equalsIgnoringASCIICase("content-length")
            else { return nil }
            return String(decoding: self[colon...].dropFirst().filter { !$0.isBlank }, as: UTF8.self)
        }
    }
#endif

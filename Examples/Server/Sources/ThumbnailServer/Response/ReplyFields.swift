import HTTPTypes
import NIOCore
import Synchronization

/// Header fields of replies from memory, and the start of the message that begins with them, which is made once.
final class ReplyFields: Sendable {
    let fields: HTTPFields

    private let start = Mutex<ByteBuffer?>(nil)

    init(_ fields: HTTPFields) { self.fields = fields }

    /// Returns the start of a message of HTTP/1.1 with these fields, those that all responses of `server` have but the
    /// date, and the number of bytes of the content. The arguments must be the same each time.
    func head(status: HTTPResponse.Status, byteCount: Int?, server: String) -> ByteBuffer {
        if let start = start.withLock({ $0 }) { return start }
        var fields = fields
        fields.complete(byteCount: byteCount, server: server)
        var head = ByteBuffer(string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in fields { head.writeField(field.name, field.value) }
        start.withLock { [head] in $0 = head }
        return head
    }
}

extension HTTPFields {
    /// Adds the fields that all responses of `server` have but the date, and the number of bytes of the content.
    mutating func complete(byteCount: Int?, server: String) {
        SecurityHeaders<ThumbnailContext>.add(to: &self)
        append(HTTPField(name: .server, value: server))
        if let byteCount { append(HTTPField(name: .contentLength, value: "\(byteCount)")) }
    }
}

extension ByteBuffer {
    /// Writes a line of a message head.
    mutating func writeField(_ name: HTTPField.Name, _ value: String) {
        writeString(name.rawName)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}

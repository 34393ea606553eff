import DarkroomCore
import Foundation

/// The lines that `Scripts/http-cache-tests` and this program exchange.
enum Exchange {
    /// A request of the suite.
    struct Request: Decodable {
        /// A number that identifies the response.
        let id: Int
        /// The URL.
        let url: String
        /// The cache mode of the Fetch standard, such as `no-store`.
        let cache: String?
        /// The header fields.
        let headers: [String: String]
    }

    /// The response to a request.
    struct Response: Encodable {
        /// The number of the request.
        let id: Int
        /// The status, unless there is no response.
        var status: Int?
        /// The header fields.
        var headers: [String: String] = [:]
        /// The body; `nil` for a refusal, whose body is not delivered.
        var body: String?
        /// The reason why there is no response.
        var error: String?

        /// Creates the response to the request with the number `id` that has failed with `error`.
        init(id: Int, error: String) {
            self.id = id
            self.error = error
        }

        /// Creates the response of an origin server that has refused the image.
        init(id: Int, refusal: ResponseMetadata) {
            self.id = id
            status = refusal.status
            headers = refusal.headers
        }

        /// Creates the response with `original`.
        init(id: Int, original: OriginalData) {
            self.id = id
            status = original.response?.status
            headers = original.response?.headers ?? [:]
            if !original.setCookies.isEmpty { headers["set-cookie"] = original.setCookies.joined(separator: ", ") }
            if original.origin != .network, let age = original.age {
                // Rounded up, because a cache must not make a response younger.
                headers["age"] = "\(age.components.seconds + (age.components.attoseconds > 0 ? 1 : 0))"
            }
            body = String(decoding: original.data, as: UTF8.self)
        }
    }

    /// Writes `response` as one line.
    static func write(_ response: Response) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(response) + Data("\n".utf8))
    }
}

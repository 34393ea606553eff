#if HTTP || S3
    /// An error for a response that async-http-client would not survive, or receive without end.
    package enum RefusedResponse: Error, Hashable, CustomStringConvertible {
        /// The status is no number of three digits from 100, or one that its protocol forbids.
        case status(String)
        /// The first line is longer than this.
        case statusLine(limit: Int)
        /// A head, or what is between two chunks of a body, is longer than this.
        case part(limit: Int)
        /// There are more informational responses before the final one than `ResponseGuard` permits.
        case informational(limit: Int)
        /// The parts of the response are in the wrong order.
        case order

        /// A noun phrase for the response, for use in a sentence after "the server sent".
        package var description: String {
            switch self {
            case .status(let text): "a response with the invalid status \(text.debugDescription)"
            case .statusLine(let limit): "a response whose first line is longer than \(limit) bytes"
            case .part(let limit): "a head, or an extension of a chunk, of more than \(limit) bytes"
            case .informational(let limit): "more than \(limit) informational responses before the final one"
            case .order: "the parts of a response in the wrong order"
            }
        }
    }
#endif

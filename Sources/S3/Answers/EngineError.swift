#if S3
    import DarkroomCore
    import DarkroomPlatform

    /// The XML document that describes an error.
    ///
    /// Nothing but the code and the region is used: some engines return the whole request, signature included.
    struct EngineError: Sendable {
        /// The code of the error, such as `NoSuchKey`; `nil` if there is none.
        private(set) var code: String?

        /// The region of the bucket, if the request was signed for another one.
        private(set) var region: String?

        /// Reads the document `body`.
        init(_ body: Data) {
            guard !body.isEmpty else { return }
            // What follows the elements does not matter.
            try? XMLElements.forEach(in: [UInt8](body)) { path, text in
                switch path {
                case ["Error", "Code"], ["ErrorResponse", "Error", "Code"]: code = code ?? text
                case ["Error", "Region"]: region = region ?? text
                default: break
                }
            }
            code = code.flatMap { $0.utf8.allSatisfy(\.isASCIIAlphanumeric) ? $0.bounded : nil }
            region = region.flatMap(Self.region)
        }

        /// Returns `text` if it can be the name of a region.
        static func region(_ text: String) -> String? {
            text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") } ? text.bounded : nil
        }

        /// The error in a few words, such as `AccessDenied`; `nil` if the document says nothing.
        var summary: String? { Self.summary(code: code, region: region) }

        /// Returns the words for a code and a region.
        static func summary(code: String?, region: String?) -> String? {
            let notes = [code, region.map { "the region is \($0)" }].compactMap(\.self)
            return notes.isEmpty ? nil : notes.joined(separator: ", ")
        }
    }

    extension String {
        /// `nil` if it is empty or longer than codes and regions are.
        fileprivate var bounded: String? { (1...64).contains(utf8.count) ? self : nil }
    }
#endif

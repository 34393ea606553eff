#if S3
    import DarkroomCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The XML document that describes an error.
    enum EngineError {
        /// Returns the code of the error in `body`, such as `NoSuchKey`; `nil` if there is none.
        ///
        /// Nothing else is used: some engines return the whole request, signature included.
        static func code(in body: Data) -> String? {
            guard !body.isEmpty else { return nil }
            var code: String?
            // What follows the code does not matter.
            try? XMLElements.forEach(in: [UInt8](body)) { path, text in
                if path == ["Error", "Code"] || path == ["ErrorResponse", "Error", "Code"] { code = code ?? text }
            }
            guard let code, (1...64).contains(code.utf8.count), code.utf8.allSatisfy(\.isASCIIAlphanumeric) else {
                return nil
            }
            return code
        }
    }
#endif

public import DarkroomCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why the system refused a call.
struct SystemError: Error, Equatable {
    /// The value of `errno`.
    let code: Int32

    /// Whether there is nothing at the path.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether there is something at the path already.
    var isExisting: Bool { code == EEXIST }

    /// Whether there is no more room; that can pass.
    var isLackOfRoom: Bool { code == ENOSPC || code == EDQUOT }

    /// Answers what `call` does, again and again while signals interrupt it.
    @discardableResult
    static func check<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw SystemError(code: errno) }
        }
    }
}

extension SystemError: CustomStringConvertible {
    /// The system's own words.
    var description: String { unsafe String(cString: strerror(code)) }
}

extension ImageError.Kind {
    /// The disk cache could not read or write its folder.
    public static let storage = ImageError.Kind(rawValue: "storage")
}

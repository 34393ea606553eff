import DarkroomPlatform

/// The error of a system call.
package struct SystemError: Error, Equatable {
    /// The value of `errno`.
    package let code: Int32

    /// Creates the error with this value of `errno`.
    package init(code: Int32) { self.code = code }

    /// The error of a path that does not exist.
    package static let missing = SystemError(code: ENOENT)

    /// Whether the path does not exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether the path exists already.
    package var alreadyExists: Bool { code == EEXIST }

    /// Whether the disk or the quota is full, which may be temporary.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the system does not permit to write, because of the file system or the owner of the file.
    package var forbidsWriting: Bool { code == EROFS || code == EACCES || code == EPERM }

    /// Returns the result of `call`, which is repeated while signals interrupt it.
    ///
    /// - Parameters:
    ///   - faults: May let `operation` fail instead.
    ///   - byteCount: The number of bytes that `call` gets, unless `faults` permit fewer.
    @discardableResult
    static func check<Result: SignedInteger>(
        _ operation: FileOperation, _ faults: FileFaults?, byteCount: Int = 0, _ call: (_ byteCount: Int) -> Result
    ) throws(SystemError) -> Result {
        while true {
            do throws(SystemError) {
                let result = call(try faults?.permitted(byteCount, operation) ?? byteCount)
                guard result < 0 else { return result }
                throw SystemError(code: errno)
            } catch let error where error.code == EINTR {
                // Once more.
            }
        }
    }
}

extension SystemError: CustomStringConvertible {
    /// The system's description of the error.
    package var description: String { unsafe String(cString: strerror(code)) }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension System {
    /// Returns the path of the program `name` beside this one, or else in a folder of `PATH`; `nil` if there is none.
    package static func path(ofProgram name: String) -> String? {
        let own = arguments.first.flatMap { path in
            path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
        }
        let variable = unsafe getenv("PATH")
        let listed = unsafe variable.map { unsafe String(cString: $0) } ?? ""
        let folders = [own].compactMap(\.self) + listed.fields(separatedBy: UInt8(ascii: ":")).map(String.init)
        return folders.map { ($0.isEmpty ? "." : $0) + "/" + name }.first { path in
            guard FileIdentity(ofFileAt: path) != nil else { return false }
            return unsafe access(path.systemPath, X_OK) == 0
        }
    }

    /// Replaces this process by the program at `path`. Returns only if that fails, with the reason.
    package static func become(_ path: String, arguments: [String]) -> SystemError {
        // A program inherits what is ignored and what is blocked.
        signal(SIGPIPE, SIG_DFL)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe []
        for word in [path] + arguments { unsafe words.append(strdup(word.systemPath)) }
        unsafe words.append(nil)
        unsafe execv(path.systemPath, words)
        return SystemError()
    }
}

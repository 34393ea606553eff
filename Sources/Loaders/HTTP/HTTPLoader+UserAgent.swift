#if HTTP
    import DarkroomCore
    import DarkroomPlatform

    extension HTTPLoader {
        /// Returns a `User-Agent` for this program, such as `darkroom/1.0 (Linux 6.1.0-18-amd64)`. On Linux a program
        /// does not know its own version, so pass it.
        public static func userAgent(version: String = "1.0") -> String {
            "\(token(ProcessInfo.processInfo.processName))/\(token(version)) (\(system))"
        }

        /// Returns `text` with the characters replaced that a product token may not contain.
        private static func token(_ text: some StringProtocol) -> String {
            let bytes = text.utf8.map { $0.isHTTPTokenByte ? $0 : UInt8(ascii: "-") }
            return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
        }

        private static var system: String {
            #if os(Linux)
                let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
                return "Linux " + token(release?.fields(separatedBy: UInt8(ascii: "\n")).first ?? "")
            #else
                let version = ProcessInfo.processInfo.operatingSystemVersion
                return "Darwin \(version.majorVersion).\(version.minorVersion)"
            #endif
        }
    }
#endif

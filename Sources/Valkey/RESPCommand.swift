#if Valkey
    import NIOCore

    /// A command and its arguments.
    struct RESPCommand: Sendable {
        let arguments: [[UInt8]]

        /// Creates a command of texts.
        init(_ arguments: String...) { self.init(arguments) }

        /// Creates a command of texts.
        init(_ arguments: [String]) { self.arguments = arguments.map { Array($0.utf8) } }

        /// Creates a command from strings and a last argument of arbitrary bytes.
        init(_ arguments: String..., payload: [UInt8]) { self.arguments = arguments.map { Array($0.utf8) } + [payload] }

        /// Appends the command to `buffer`, as an array of strings.
        func write(to buffer: inout ByteBuffer) {
            buffer.writeString("*\(arguments.count)\r\n")
            for argument in arguments {
                buffer.writeString("$\(argument.count)\r\n")
                buffer.writeBytes(argument)
                buffer.writeString("\r\n")
            }
        }
    }
#endif

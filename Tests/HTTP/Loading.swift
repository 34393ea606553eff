#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    extension HTTPLoader {
        /// The whole body behind `url`.
        func data(_ url: URL, context: ImageContext = .init()) async throws -> Data {
            try await load(LoadRequest(url: url, context: context)).data()
        }

        /// A loader with some settings changed.
        init(_ configure: (inout Configuration) -> Void) {
            var configuration = Configuration()
            configure(&configuration)
            self.init(configuration)
        }
    }

    extension LoadResponse {
        /// The whole body.
        func data() async throws -> Data {
            guard case .chunks(let chunks) = body else { throw ImageError(.internal, .load, "there are no chunks") }
            var data = Data()
            for try await chunk in chunks { data += chunk }
            return data
        }
    }

    /// The error of kind `kind` that `body` throws.
    @discardableResult
    func expectError(
        _ kind: ImageError.Kind, mentioning text: String = "", location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws -> ImageError {
        let error = try await #require(throws: ImageError.self, sourceLocation: location) { try await body() }
        #expect(error.kind == kind, "\(error)", sourceLocation: location)
        #expect(error.message.contains(text), "\(error)", sourceLocation: location)
        return error
    }

    /// Returns when `condition` holds, which servers and queues have looked at again after each change.
    func waitUntil(_ condition: @escaping @Sendable () -> Bool) async {
        await StateChanges.wait(until: condition)
    }

    /// Something that is there once.
    final class Once: Sendable {
        private let isTaken = Atomic(false)

        /// Whether this is the first time.
        func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
    }
#endif

#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    extension HTTPLoader {
        /// Returns the complete body at `url`.
        func data(_ url: URL, context: ImageContext = .init()) async throws -> Data {
            try await load(LoadRequest(url: url, context: context)).data()
        }

        /// Creates a loader with modified settings.
        init(_ configure: (inout Configuration) -> Void) {
            var configuration = Configuration()
            configure(&configuration)
            self.init(configuration)
        }
    }

    extension LoadResponse {
        /// Returns the complete body.
        func data() async throws -> Data {
            guard case .chunks(let chunks) = body else { throw ImageError(.internal, .load, "there are no chunks") }
            var data = Data()
            for try await chunk in chunks { data += chunk }
            return data
        }
    }

    /// Expects `body` to throw an error of kind `kind`, and returns it.
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

    /// Returns once `condition` holds; servers and queues re-evaluate it after each change.
    func waitUntil(_ condition: @escaping @Sendable () -> Bool) async {
        await StateChanges.wait(until: condition)
    }

    /// A flag that can be taken once.
    final class Once: Sendable {
        private let isTaken = Atomic(false)

        /// Returns whether this is the first call.
        func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
    }
#endif

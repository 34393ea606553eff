public import DarkroomPlatform

extension ImageManager {
    /// Returns the events of a load of `url`: progress and previews, and finally the result that `load` would return.
    ///
    /// A slow reader gets only the newest progress and preview. Leaving the sequence cancels the load, and a reader whose
    /// task is cancelled receives an error of kind `cancelled`, unless it has received the result.
    public func events(for url: URL, context: ImageContext = .init()) -> LoadEvents {
        events { [self] in try await load(url, context: context, observer: $0) }
    }

    /// Returns the events of a load of `request`.
    func events(of request: Request) -> LoadEvents {
        events { [pipeline] in try await pipeline.load(request, observer: $0) }
    }

    private func events(
        of load: @escaping @Sendable (@escaping LoadPipeline.Results.Observer) async throws -> LoadResult
    ) -> LoadEvents {
        let channel = EventChannel<LoadEvent, ImageError>()
        let call = pipeline.calls.start {
            try await load { channel.send($0) }
        } completion: { result in
            switch result {
            case .success(let result):
                channel.send(.finished(result))
                channel.finish()
            case .failure(let error): channel.finish(throwing: ImageError(error, in: .load))
            }
        }
        return LoadEvents(channel) { [calls = pipeline.calls] in calls.cancel(call) }
    }
}

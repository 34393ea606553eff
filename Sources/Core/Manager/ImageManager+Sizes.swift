public import DarkroomPlatform

// Several sizes of one image.
extension ImageManager {
    /// Loads one image with the options of each of `contexts`, and returns the results in the same order.
    ///
    /// The original is fetched once, and a failure to fetch it is the result of all of them. Sizes that differ only in
    /// their bounds are made from one decoded image, that of the largest size. Each is resized and transformed
    /// separately, and stored under its own key.
    public func load(_ url: URL, contexts: [ImageContext]) async -> [Result<LoadResult, ImageError>] {
        let requests = contexts.map { request(for: url, context: $0) }
        let finished = try? await pipeline.calls.run { [self] in await results(of: requests) }
        return finished ?? contexts.map { _ in .failure(.cancelled) }
    }

    private func results(of requests: [Request]) async -> [Result<LoadResult, ImageError>] {
        var isCached: [Bool] = []
        for request in requests { isCached.append(await pipeline.caches(for: request).containsResult()) }
        let plan = SizesPlan(requests, isCached: isCached)
        let failure = SharedFailure()
        return await withTaskGroup(of: [(Int, Result<LoadResult, ImageError>)].self) { group in
            for sizes in plan.groups { group.addTask { [self] in await load(sizes, sharing: failure) } }
            var results = [Result<LoadResult, ImageError>](repeating: .failure(.cancelled), count: requests.count)
            for await finished in group {
                for (index, result) in finished { results[index] = result }
            }
            return results
        }
    }

    /// Loads the base of `sizes`, and then all sizes made from it.
    private func load(
        _ sizes: SizesPlan.Group, sharing failure: SharedFailure
    ) async -> [(Int, Result<LoadResult, ImageError>)] {
        let decode = SharedDecode(base: sizes.base.request, failure: failure)
        let first = await result(of: sizes.base, decode: decode)
        return await withTaskGroup(of: (Int, Result<LoadResult, ImageError>).self) { group in
            for member in sizes.others { group.addTask { [self] in await result(of: member, decode: decode) } }
            return await group.reduce(into: [first]) { $0.append($1) }
        }
    }

    private func result(
        of member: SizesPlan.Member, decode: SharedDecode
    ) async -> (Int, Result<LoadResult, ImageError>) {
        do throws(ImageError) {
            return (member.index, .success(try await pipeline.load(member.request.sharing(decode))))
        } catch {
            return (member.index, .failure(error))
        }
    }
}

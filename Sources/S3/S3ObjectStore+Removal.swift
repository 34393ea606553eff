#if S3
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    /// The position in a list of objects.
    struct ListPosition: Sendable {
        /// The token of the next page.
        var token: String?
        /// The last key of the previous page, for engines that return no token.
        var lastKey: String?
    }

    extension S3ObjectStore {
        /// The number of objects in a batch. If all of them fail, the rest is not tried.
        private static let batchSize = 16

        /// The limit on the bytes of a page of a list. A key has up to 1,024 bytes.
        private static let listByteLimit = 8 << 20

        /// Removes the objects on all pages of the list of `prefix`. Each request ends after `deadline`.
        func removePages(under prefix: String, deadline: Duration) async throws {
            var (position, failure): (ListPosition, (any Error)?) = (ListPosition(), nil)
            while true {
                let page = try await client.within(deadline) { [position] in
                    try await list(prefix, position, limit: pageSize)
                }
                // An engine that ignores the prefix must not cost other objects.
                let names = page.keys.filter { $0.utf8.starts(with: prefix.utf8) }
                for start in stride(from: 0, to: names.count, by: Self.batchSize) {
                    let errors = await remove(names[start...].prefix(Self.batchSize), deadline: deadline)
                    failure = failure ?? errors.first
                    if let failure, errors.count == Self.batchSize { throw failure }
                }
                guard page.isTruncated else {
                    if let failure { throw failure }
                    return
                }
                let next = ListPosition(token: page.nextToken, lastKey: page.keys.last)
                guard next.token ?? next.lastKey != nil, next.token == nil || next.token != position.token else {
                    throw ImageError(.network, .cache, "the engine returned a list of objects that does not end")
                }
                position = next
            }
        }

        /// Returns a page of the list of objects whose names begin with `prefix`.
        func list(_ prefix: String, _ position: ListPosition, limit: Int) async throws -> ObjectList {
            var request = S3Request(.GET, bucket: bucket)
            request.query = [("list-type", "2"), ("max-keys", "\(limit)"), ("prefix", prefix)]
            if let token = position.token {
                request.query.append(("continuation-token", token))
            } else if let key = position.lastKey {
                request.query.append(("start-after", key))
            }
            return try await client.retrying(request) { response in
                guard response.status == 200 else { throw error(response, "listing objects") }
                let body = try await Data(
                    response.body, byteLimit: Self.listByteLimit, expected: response.contentLength)
                guard let body, let list = try? ObjectList(body) else {
                    throw ImageError(.network, .cache, "the engine returned an invalid list of objects")
                }
                return list
            }
        }

        /// Removes the objects, as many at once as `removals` admits. Returns the errors of those that cannot be removed.
        private func remove(_ names: ArraySlice<String>, deadline: Duration) async -> [any Error] {
            await withTaskGroup(of: (any Error)?.self) { group in
                for name in names {
                    group.addTask {
                        do {
                            // The wait counts, or each request that hangs would delay all others by `deadline`.
                            try await client.within(deadline) {
                                let admission = try await removals.admit()
                                defer { admission.release() }
                                let request = try request(.DELETE, name)
                                try await client.retrying(request) { try checkRemoval($0, name) }
                            }
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                var errors: [any Error] = []
                for await case let error? in group { errors.append(error) }
                return errors
            }
        }
    }
#endif

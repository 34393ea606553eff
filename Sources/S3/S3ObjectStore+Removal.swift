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
        /// The number of removals in flight.
        private static let concurrentRemovals = 16

        /// The limit on the bytes of a page of a list. A key has up to 1,024 bytes.
        private static let listByteLimit = 8 << 20

        /// Removes the objects on all pages of the list of `prefix`.
        func removePages(under prefix: String) async throws {
            var position = ListPosition()
            while true {
                let page = try await list(prefix, position, limit: pageSize)
                // An engine that ignores the prefix must not cost other objects.
                try await remove(page.keys.filter { $0.utf8.starts(with: prefix.utf8) })
                guard page.isTruncated else { return }
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

        private func remove(_ names: [String]) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, name) in names.enumerated() {
                    if number >= Self.concurrentRemovals { try await group.next() }
                    group.addTask {
                        try await client.retrying(try request(.DELETE, name)) { try checkRemoval($0, name) }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
#endif

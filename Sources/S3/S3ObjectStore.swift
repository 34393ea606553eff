#if S3
    public import DarkroomCore
    public import DarkroomFleet
    public import DarkroomPlatform
    import NIOHTTP1
    import Synchronization

    /// The objects in a bucket of an S3-compatible engine.
    ///
    /// Only the requests `GET`, `HEAD`, `PUT`, `DELETE` and `ListObjectsV2` are used, which every engine supports. Dates
    /// are those of the engine's clock: if it differs from the clock of this machine, requests are signed by the
    /// engine's.
    ///
    /// Connections are opened by the first call, and closed by ``shutdown()`` or with the last reference to the store.
    public struct S3ObjectStore: ObjectStore {
        /// The name of the bucket.
        public let bucket: String

        /// The settings with which the store was created.
        public var configuration: S3Configuration { client.configuration }

        /// The maximum number of objects that one request lists.
        var pageSize = 1_000

        let client: S3Client

        /// The queue of the requests that `removeAll` removes objects with. Reads find free connections even while these hang.
        let removals: AdmissionQueue

        /// Creates a store of the objects in `bucket`.
        ///
        /// If the name or `configuration` is invalid, each call fails with an error that says why; ``validate()`` throws
        /// it at once.
        public init(bucket: String, configuration: S3Configuration) {
            self.init(bucket: bucket, client: S3Client(configuration, stage: .cache))
        }

        /// Creates a store of the objects in `bucket` at `endpoint`, such as `https://s3.example.com`.
        public init(
            endpoint: URL, bucket: String, region: String = "us-east-1", credentials: some S3CredentialsProvider
        ) {
            self.init(
                bucket: bucket,
                configuration: S3Configuration(endpoint: endpoint, region: region, credentials: credentials))
        }

        init(bucket: String, client: S3Client) {
            self.bucket = bucket
            self.client = client
            removals = AdmissionQueue(limit: client.configuration.connectionLimit / 4)
        }

        /// Throws an error if the name of the bucket or the configuration is invalid.
        public func validate() throws(ImageError) {
            guard bucket.isBucketName else {
                throw ImageError(.refused, .request, "\(bucket.debugDescription) is not the name of a bucket")
            }
            try configuration.validate()
        }

        /// Ends all calls and closes all connections. Later calls fail.
        public func shutdown() async { await client.shutdown() }

        /// Returns the object.
        ///
        /// - Throws: An error of kind `overLimit` for an object of more bytes than `byteLimit`, `status` for an
        ///   unexpected status, `timedOut` after `deadline`, or `network` if the engine cannot be reached. In a load, also one
        ///   of kind `busy` if there is no memory for the object now.
        public func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
            try await client.perform(request(.GET, name), deadline: deadline) { response in
                if try isMissing(response, name) { return nil }
                guard response.status == 200 else { throw error(response, "reading the object \(name)") }
                let length = response.contentLength
                if let length, length <= byteLimit { try await EntryMemory.current.reserve(length) }
                guard let bytes = try await Data(response.body, byteLimit: byteLimit, expected: length) else {
                    throw ImageError(.overLimit, .cache, "the object \(name) has more than \(byteLimit) bytes")
                }
                return StoredObject(bytes, age: response.age)
            }
        }

        /// Returns whether there is an object.
        public func contains(_ name: String, deadline: Duration) async throws -> Bool {
            try await client.perform(request(.HEAD, name), deadline: deadline) { response in
                guard response.status == 404 else {
                    guard response.status == 200 else { throw error(response, "looking up the object \(name)") }
                    return true
                }
                // The response has no body that could tell a missing object from a missing bucket.
                if !client.hasFoundBucket.load(ordering: .relaxed) {
                    _ = try await list(name, ListPosition(), limit: 1)
                    client.hasFoundBucket.store(true, ordering: .relaxed)
                }
                return false
            }
        }

        /// Stores the object.
        public func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
            try await client.perform(request(.PUT, name, body: bytes), deadline: deadline) { response in
                guard response.status / 100 == 2 else { throw error(response, "storing the object \(name)") }
            }
        }

        /// Removes the object.
        public func remove(_ name: String, deadline: Duration) async throws {
            try await client.perform(request(.DELETE, name), deadline: deadline) { response in
                try checkRemoval(response, name)
            }
        }

        /// Removes all objects whose names begin with `prefix`, one by one, because some engines do not remove several at
        /// once. Each of the requests ends after `deadline`, which includes the wait for its turn: at most a quarter of the
        /// connections are used to remove objects, by all calls together.
        public func removeAll(under prefix: String, deadline: Duration) async throws {
            try validate()
            try await removePages(under: prefix, deadline: deadline)
        }
    }
#endif

#if S3
    import DarkroomFleet
    import DarkroomTestKit
    import Foundation
    import TestSupport
    import Testing

    @testable import DarkroomCore
    @testable import DarkroomS3

    /// The store and the loader work with a real engine.
    ///
    /// Serialized, because one of the tests stops the engine for a while.
    @Suite(
        .serialized, .bounded,
        .enabled(
            if: Engine.chosen.isInstalled,
            "\(Engine.chosen.name) is not installed; run Scripts/install-engines \(Engine.chosen.name)"))
    struct EngineTests {
        private func store(
            bucket: String = "darkroom", credentials: S3Credentials = .engine
        ) async throws -> S3ObjectStore {
            S3ObjectStore(
                endpoint: try await RunningEngine.shared.value.url, bucket: bucket, credentials: credentials)
        }

        @Test func storeFulfilsTheContract() async throws {
            var store = try await store()
            store.pageSize = 7
            try await ObjectStoreContract(store).checkAll()
        }

        @Test func hangingEngineFulfilsTheContract() async throws {
            let engine = try await RunningEngine.shared.value
            let contract = ObjectStoreContract(try await store())
            try await contract.checkDeadlines { try await engine.hanging($0) }
            try await contract.checkCancellation { try await engine.hanging($0) }
            // It responds again.
            try await contract.checkReplacing()
        }

        @Test func loaderFulfilsTheContract() async throws {
            let (store, key) = (try await store(), "loader/a b+é?&=%.png")
            let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
            try await store.put(bytes, as: key, deadline: .seconds(30))
            let loader = S3Loader(.init(engine: store.configuration))
            let url = try #require(URL(string: "s3://darkroom/\(PercentEncoding.path(key.utf8))"))
            try await LoaderContract(loader).checkAll(
                url, returns: bytes,
                missing: ["s3://darkroom/none", "s3://none/a"].compactMap { URL(string: $0) },
                foreign: [try #require(URL(string: "https://darkroom/a"))])
            var request = LoadRequest(url: url)
            request.stored = try await loader.load(LoadRequest(url: url)).metadata
            guard case .notModified = try await loader.load(request).body else {
                throw ImageError(.internal, .load, "an unchanged object is sent again")
            }
            try await store.remove(key, deadline: .seconds(30))
        }

        @Test func objectIsNotReceivedWithoutMemory() async throws {
            let (store, bytes) = (try await store(), Data(repeating: 7, count: 300_000))
            try await store.put(bytes, as: "large", deadline: .seconds(30))
            let budget = MemoryBudget(byteLimit: 1 << 20)
            // More than the half of all transfers.
            let other = budget.makeTransferMemory(.constant(.normal))
            try await other.grow(by: 1 << 20)
            let memory = EntryMemory(budget.makeTransferMemory(.constant(.normal))).withoutWaits
            try await EntryMemory.$current.withValue(memory) {
                try await expectError(.busy, mentioning: "300000 bytes") {
                    _ = try await store.object("large", byteLimit: 1 << 20, deadline: .seconds(30))
                }
                other.release()
                let found = try await store.object("large", byteLimit: 1 << 20, deadline: .seconds(30))
                #expect(found?.bytes == bytes)
            }
            try await store.remove("large", deadline: .seconds(30))
        }

        @Test func missingBucketIsAnError() async throws {
            let store = try await store(bucket: "none")
            try await expectError(.status, mentioning: "NoSuchBucket") { _ = try await store.bytes() }
            try await expectError(.status, mentioning: "NoSuchBucket") {
                _ = try await store.contains("a", deadline: .seconds(30))
            }
        }

        @Test func wrongSecretIsAnErrorWithoutSecrets() async throws {
            let store = try await store(
                credentials: S3Credentials(accessKeyID: S3Credentials.engine.accessKeyID, secretAccessKey: "hidden"))
            try await expectError(.status, mentioning: "403 (SignatureDoesNotMatch)") { _ = try await store.bytes() }
        }

        /// Other engines accept any region.
        @Test(.enabled(if: Engine.chosen.requiresItsRegion, "\(Engine.chosen.name) accepts any region"))
        func wrongRegionIsAnErrorThatNamesTheRightOne() async throws {
            let store = S3ObjectStore(
                endpoint: try await RunningEngine.shared.value.url, bucket: "darkroom", region: "eu-central-1",
                credentials: S3Credentials.engine)
            try await expectError(.status, mentioning: "the region is us-east-1") { _ = try await store.bytes() }
        }

        @Test(arguments: [-3_600.0, 86_400]) func wrongClockIsCorrected(_ offset: TimeInterval) async throws {
            let right = try await store()
            let client = S3Client(right.configuration, stage: .cache) { Date() + offset }
            let store = S3ObjectStore(bucket: right.bucket, client: client)
            try await store.put(Data([1]), as: "clock", deadline: .seconds(30))
            #expect(try await store.bytes("clock") == Data([1]))
            let other = S3ObjectStore(
                bucket: right.bucket, client: S3Client(right.configuration, stage: .cache) { Date() + offset })
            #expect(try await other.contains("clock", deadline: .seconds(30)))
            try await other.remove("clock", deadline: .seconds(30))
        }

        @Test func largeObjectIsStored() async throws {
            let store = try await store()
            let bytes = Data((0..<(16 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 9) })
            try await store.put(bytes, as: "large", deadline: .seconds(60))
            #expect(try await store.bytes("large", byteLimit: 16 << 20) == bytes)
            try await expectError(.overLimit) { _ = try await store.bytes("large", byteLimit: 16 << 20 - 1) }
            try await store.remove("large", deadline: .seconds(30))
        }
    }
#endif

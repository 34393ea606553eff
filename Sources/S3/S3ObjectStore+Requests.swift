#if S3
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    extension S3ObjectStore {
        /// Returns a request for the object `name`.
        func request(_ method: HTTPMethod, _ name: String, body: Data? = nil) throws(ImageError) -> S3Request {
            try validate()
            guard !name.isEmpty, name.utf8.isUnambiguousKey else {
                throw ImageError(.refused, .cache, "\(name.debugDescription) is not the name of an object")
            }
            return S3Request(method, bucket: bucket, key: name.utf8, body: body)
        }

        /// Returns whether `response` says that there is no object `name`.
        ///
        /// - Throws: An error if there is no bucket.
        func isMissing(_ response: S3Response, _ name: String) throws(ImageError) -> Bool {
            guard response.status == 404 else { return false }
            guard response.error.code != "NoSuchBucket" else { throw error(response, "requesting the object \(name)") }
            return true
        }

        /// Throws an error unless `response` says that there is no object `name` any more.
        func checkRemoval(_ response: S3Response, _ name: String) throws(ImageError) {
            guard try !isMissing(response, name), response.status / 100 != 2 else { return }
            throw error(response, "removing the object \(name)")
        }

        /// Returns the error for an unexpected response.
        func error(_ response: S3Response, _ action: String) -> ImageError {
            ImageError(
                .status, .cache,
                "the engine at \(configuration.hostName) responded to \(action) in the bucket \(bucket) "
                    + "with \(response.summary)")
        }
    }
#endif

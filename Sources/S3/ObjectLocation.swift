#if S3
    import DarkroomCore
    import DarkroomPlatform

    /// The place of an object: `s3://bucket/key`.
    struct ObjectLocation: Hashable, Sendable {
        /// The name of the bucket.
        let bucket: String

        /// The key, without percent escapes.
        let key: [UInt8]

        /// Creates the location that `url` names.
        ///
        /// - Throws: An error of kind `invalidURL` if it names no object.
        init(_ url: URL) throws(ImageError) {
            guard let bucket = url.host, bucket.isBucketName, url.port == nil, url.user == nil else {
                throw ImageError(.invalidURL, .load, "the host of the URL is not the name of a bucket")
            }
            guard url.query == nil else {
                throw ImageError(
                    .invalidURL, .load, "the URL has a query; a question mark in a key must be written as %3F")
            }
            let path = [UInt8](percentDecoding: url.path(percentEncoded: true))
            guard path.count > 1, path[0] == UInt8(ascii: "/") else {
                throw ImageError(.invalidURL, .load, "the URL names a bucket, but no object in it")
            }
            guard path.dropFirst().isUnambiguousKey else {
                throw ImageError(.invalidURL, .load, "the key of the object is a relative path")
            }
            self.bucket = bucket
            key = Array(path.dropFirst())
        }
    }

    extension Collection<UInt8> {
        /// Whether a key has no parts `.` and `..`, which servers may resolve: the object could be in another bucket.
        var isUnambiguousKey: Bool {
            split(separator: UInt8(ascii: "/")).allSatisfy { part in
                !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
            }
        }
    }
#endif

#if S3
    import DarkroomCore
    import DarkroomPlatform

    /// A page of a list of objects, from a response to `ListObjectsV2`.
    struct ObjectList: Sendable {
        /// The keys of the objects.
        private(set) var keys: [String] = []

        /// Whether there are more pages.
        private(set) var isTruncated = false

        /// The token with which the next page is requested.
        private(set) var nextToken: String?

        /// Creates a page from the body of a response.
        init(_ body: Data) throws(XMLElements.Malformed) {
            var page = (keys: [String](), isTruncated: false, nextToken: String?.none, isList: false)
            try XMLElements.forEach(in: [UInt8](body)) { path, text throws(XMLElements.Malformed) in
                switch path {
                case ["ListBucketResult", "Contents", "Key"]: page.keys.append(text)
                case ["ListBucketResult", "IsTruncated"]: page.isTruncated = text == "true"
                case ["ListBucketResult", "NextContinuationToken"]: page.nextToken = text.isEmpty ? nil : text
                case ["ListBucketResult"]: page.isList = true
                default: break
                }
            }
            guard page.isList else { throw XMLElements.Malformed() }
            (keys, isTruncated, nextToken) = (page.keys, page.isTruncated, page.nextToken)
        }
    }
#endif

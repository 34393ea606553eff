#if HTTP
    public import DarkroomCore
    import NIOHTTP1

    // The judgement of responses, received or modified.
    extension HTTPLoader {
        /// Returns `response` if its status and its content type are acceptable for an image, and its declared length
        /// is within the limits. A 304 for a request with validators becomes `notModified`.
        ///
        /// - Throws: An error of kind `status`, `contentType` or `overLimit`.
        public func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
            guard let metadata = response.metadata else { return response }
            var response = response
            if metadata.status == 304, !request.validators.isEmpty {
                (response.body, response.expectedByteCount) = (.notModified, nil)
                return response
            }
            if let error = statusError(metadata, of: response) ?? partError(metadata, of: response) { throw error }
            // A confirmation has no content.
            if case .notModified = response.body { return response }
            if let error = contentTypeError(metadata) { throw error }
            try request.context.limits.check(encodedByteCount: metadata.contentLength ?? 0)
            return response
        }

        private func statusError(_ metadata: ResponseMetadata, of response: LoadResponse) -> ImageError? {
            let status = metadata.status
            guard let acceptable = configuration.acceptableStatusCodes, !acceptable.contains(status) else { return nil }
            let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
            let isRefusal = status == 401 && response.route?.hops.last?.credentials.contains("authorization") == true
            return error(
                .status,
                (isRefusal ? "the origin rejected the credential with status" : "the origin returned status")
                    + " \(status)" + (reason.isEmpty ? "" : " \(reason)"), response: metadata)
        }

        /// Returns an error for a part of an image, unless the caller has asked for one.
        private func partError(_ metadata: ResponseMetadata, of response: LoadResponse) -> ImageError? {
            guard metadata.status == 206, (response.requestFields ?? [:])["range"] == nil,
                metadata.headers["content-range"]?.contentRangeTotal(from: 0) == nil
            else { return nil }
            return error(
                .status, "the origin returned status 206 Partial Content without the whole image", response: metadata)
        }

        private func contentTypeError(_ metadata: ResponseMetadata) -> ImageError? {
            let type = metadata.headers["content-type"]?.mediaType ?? ""
            guard let acceptable = configuration.acceptableContentTypes, !type.isEmpty else { return nil }
            let parts = type.fields(separatedBy: UInt8(ascii: "/"), maxSplits: 1)
            let family = parts.count > 1 ? parts[0] + "/*" : ""
            guard acceptable.isDisjoint(with: [type, family]) else { return nil }
            return error(
                .contentType,
                "the origin sent \(type), which is not an image; "
                    + "allow it with HTTPLoader.Configuration.acceptableContentTypes", response: metadata)
        }

        /// Creates an error that contains the response. All errors about a response are created here.
        private func error(_ kind: ImageError.Kind, _ message: String, response: ResponseMetadata) -> ImageError {
            ImageError(kind, .load, message, response: response)
        }
    }

    extension Transfer {
        /// Returns `received` as the response of a loader, before it is judged. Its body holds `admission`.
        func response(of received: ReceivedResponse, admission: Admission) -> LoadResponse {
            let metadata = received.metadata
            let chunks = ResponseChunks(received, transfer: self, until: admission.cancellation)
            var response = LoadResponse(
                .chunks(TransferBody(chunks, admission: admission)),
                // The length counts encoded bytes; the decoded length is known only at the end.
                expectedByteCount: received.head.isEncoded ? nil : metadata.contentLength, metadata: metadata)
            response.redirects = received.redirects
            response.route = received.route
            response.setCookies = received.head.headers["set-cookie"]
            return response
        }
    }

    extension ResponseMetadata {
        /// The length that the origin declared.
        fileprivate var contentLength: Int? { headers["content-length"].flatMap { Int(decimal: $0) } }
    }

    extension ReceivedResponse {
        /// The metadata of the response.
        var metadata: ResponseMetadata {
            ResponseMetadata(url: url, status: Int(head.status.code), headers: head.headers.joined)
        }
    }

    extension HTTPResponseHead {
        /// Whether the body has a content encoding, so that the received bytes differ from the delivered ones.
        var isEncoded: Bool {
            !["", "identity"].contains(headers["content-encoding"].joined(separator: ", ").asciiLowercased)
        }
    }

    extension HTTPHeaders {
        /// The fields in the form of `ResponseMetadata`. Cookies are omitted: they are secrets that no cache may
        /// write to a file.
        fileprivate var joined: [String: String] {
            var joined: [String: String] = [:]
            for (name, value) in self {
                let name = name.asciiLowercased
                guard name != "set-cookie" else { continue }
                joined[name, default: ""] += joined[name] == nil ? value : ", \(value)"
            }
            return joined
        }
    }
#endif

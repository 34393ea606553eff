#if HTTP
    import DarkroomCore
    import NIOHTTP1

    extension Transfer {
        /// Returns the response of the load, with `body` if the head is acceptable for an image.
        func checked(_ response: ReceivedResponse, body: () -> ResponseBody) throws(ImageError) -> LoadResponse {
            let metadata = response.metadata
            if metadata.status == 304, !request.validators.isEmpty {
                return LoadResponse(.notModified, metadata: metadata)
            }
            if let error = statusError(metadata, for: response) ?? contentTypeError(metadata) { throw error }
            let length = metadata.headers["content-length"].flatMap { Int(decimal: $0) }
            try request.context.limits.check(encodedByteCount: length ?? 0)
            // The length counts encoded bytes; the decoded length is known only at the end.
            return LoadResponse(
                .chunks(body()), expectedByteCount: response.head.isEncoded ? nil : length, metadata: metadata)
        }

        private func statusError(_ metadata: ResponseMetadata, for response: ReceivedResponse) -> ImageError? {
            let status = metadata.status
            guard let acceptable = configuration.acceptableStatusCodes, !acceptable.contains(status) else { return nil }
            let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
            let isRefusal = status == 401 && response.headers.contains(name: "Authorization")
            return error(
                .status,
                (isRefusal ? "the origin rejected the credential with status" : "the origin returned status")
                    + " \(status)" + (reason.isEmpty ? "" : " \(reason)"), response: metadata)
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
        /// The fields in the form of `ResponseMetadata`. Cookies are omitted: they are secrets that must not enter a
        /// cache.
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

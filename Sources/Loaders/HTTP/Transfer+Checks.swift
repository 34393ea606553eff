#if HTTP
    import DarkroomCore
    import NIOHTTP1

    extension Transfer {
        /// The answer to the load: `body` if the head is what a picture's may be.
        func checked(_ answer: Answer, body: () -> ResponseBody) throws(ImageError) -> LoadResponse {
            let metadata = answer.metadata
            if metadata.status == 304, !request.validators.isEmpty {
                return LoadResponse(.notModified, metadata: metadata)
            }
            if let error = statusError(metadata, answer) ?? contentTypeError(metadata) { throw error }
            let length = metadata.headers["content-length"].flatMap { Int(decimal: $0) }
            try checkLength(length ?? 0)
            // The length counts what is sent; what comes out of an encoding is known at its end.
            return LoadResponse(
                .chunks(body()), expectedByteCount: answer.head.isEncoded ? nil : length, metadata: metadata)
        }

        private func statusError(_ metadata: ResponseMetadata, _ answer: Answer) -> ImageError? {
            let status = metadata.status
            guard let acceptable = configuration.acceptableStatusCodes, !acceptable.contains(status) else { return nil }
            let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
            let isRefusal = status == 401 && answer.headers.contains(name: "Authorization")
            return error(
                .status,
                (isRefusal ? "the origin refused the credential: it answered" : "the origin answered")
                    + " \(status)" + (reason.isEmpty ? "" : " \(reason)"), metadata)
        }

        private func contentTypeError(_ metadata: ResponseMetadata) -> ImageError? {
            let type = metadata.headers["content-type"]?.mediaType ?? ""
            guard let acceptable = configuration.acceptableContentTypes, !type.isEmpty else { return nil }
            let parts = type.fields(separatedBy: UInt8(ascii: "/"), maxSplits: 1)
            let family = parts.count > 1 ? parts[0] + "/*" : ""
            guard acceptable.isDisjoint(with: [type, family]) else { return nil }
            return error(
                .contentType,
                "the origin sent \(type), which is no picture; "
                    + "allow it with HTTPLoader.Configuration.acceptableContentTypes", metadata)
        }

        /// The one place where a response makes an error.
        private func error(_ kind: ImageError.Kind, _ message: String, _ response: ResponseMetadata) -> ImageError {
            ImageError(kind, .load, message, response: response)
        }

        private func checkLength(_ byteCount: Int) throws(ImageError) {
            let bound = request.context.limits.encodedByteCount
            guard byteCount <= bound else {
                throw .overLimit("encodedByteCount", value: byteCount, bound: bound, stage: .load)
            }
        }
    }

    extension Answer {
        /// How the origin answered.
        var metadata: ResponseMetadata {
            ResponseMetadata(url: url, status: Int(head.status.code), headers: head.headers.joined)
        }
    }

    extension HTTPResponseHead {
        /// Whether the body was sent in another form than the one it is kept in.
        var isEncoded: Bool {
            !["", "identity"].contains(headers["content-encoding"].joined(separator: ", ").asciiLowercased)
        }
    }

    extension HTTPHeaders {
        /// The fields as `ResponseMetadata` has them. Cookies are left out: they are secrets, and no business of a cache.
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

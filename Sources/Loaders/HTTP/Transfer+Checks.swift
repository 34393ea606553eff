#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension Transfer {
        /// The answer to the load: `body` if the head is what a picture's may be.
        func checked(
            _ response: HTTPClientResponse, from url: URL, body: () -> ResponseBody
        ) throws(ImageError) -> LoadResponse {
            let metadata = ResponseMetadata(
                url: url, status: Int(response.status.code), headers: response.headers.joined)
            if metadata.status == 304, !request.validators.isEmpty {
                return LoadResponse(.notModified, metadata: metadata)
            }
            try checkStatus(metadata)
            try checkContentType(metadata)
            let length = metadata.headers["content-length"].flatMap { Int($0) }
            try checkLength(length ?? 0)
            // The length counts what is sent; what comes out of an encoding is known at its end.
            let isEncoded = !["", "identity"].contains(metadata.headers["content-encoding"] ?? "")
            return LoadResponse(.chunks(body()), expectedByteCount: isEncoded ? nil : length, metadata: metadata)
        }

        private func checkStatus(_ metadata: ResponseMetadata) throws(ImageError) {
            let status = metadata.status
            guard let acceptable = configuration.acceptableStatusCodes, !acceptable.contains(status) else { return }
            let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
            throw ImageError(
                .status, .load, "the origin answered \(status)" + (reason.isEmpty ? "" : " \(reason)"),
                response: metadata)
        }

        private func checkContentType(_ metadata: ResponseMetadata) throws(ImageError) {
            let field = metadata.headers["content-type"] ?? ""
            let type = field.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
            guard let acceptable = configuration.acceptableContentTypes, !type.isEmpty else { return }
            let family = type.firstIndex(of: "/").map { type[...$0] + "*" } ?? ""
            guard acceptable.isDisjoint(with: [type, String(family)]) else { return }
            throw ImageError(
                .contentType, .load,
                "the origin sent \(type), which is no picture; "
                    + "allow it with HTTPLoader.Configuration.acceptableContentTypes", response: metadata)
        }

        private func checkLength(_ byteCount: Int) throws(ImageError) {
            let bound = request.context.limits.encodedByteCount
            guard byteCount <= bound else {
                throw .overLimit("encodedByteCount", value: byteCount, bound: bound, stage: .load)
            }
        }
    }

    extension HTTPHeaders {
        /// The fields as `ResponseMetadata` has them. Cookies are left out: they are secrets, and no business of a cache.
        fileprivate var joined: [String: String] {
            var joined: [String: String] = [:]
            for (name, value) in self where name.lowercased() != "set-cookie" {
                joined[name.lowercased(), default: ""] += joined[name.lowercased()] == nil ? value : ", \(value)"
            }
            return joined
        }
    }
#endif

#if HTTP
    public import DarkroomCore
    import DarkroomHTTPGuard
    import DarkroomPlatform

    extension HTTPLoader.Configuration {
        /// Throws an error of kind `refused` that names the property when a setting is invalid.
        ///
        /// Every load of a loader with an invalid configuration fails with the same error; call this method to find out
        /// earlier.
        public func validate() throws(ImageError) {
            try checkNumbers()
            try checkSets()
            try checkHeaders()
            try checkSecurity()
        }

        /// Throws an error if no request may be sent to `url`, whatever the addresses of its host.
        func check(_ url: URL) throws(ImageError) {
            try checkPlace(of: url)
            do {
                try checkURL?(url)
            } catch let error as ImageError where error.kind == .refused {
                throw error
            } catch {
                // An error of another kind could be mistaken for an unreachable origin, and a stale result be
                // returned.
                let reason = (error as? ImageError)?.message ?? "\(error)"
                throw ImageError(.refused, .load, "HTTPLoader.Configuration.checkURL refused the URL: \(reason)")
            }
        }

        /// Throws an error if the scheme or the port of `url` is not allowed.
        private func checkPlace(of url: URL) throws(ImageError) {
            guard (url.port.map { (1...65535).contains($0) } ?? true) else {
                throw ImageError(.invalidURL, .load, "the URL has a port that does not exist")
            }
            guard let origin = Origin(url) else {
                throw ImageError(.invalidURL, .load, "the URL has no host")
            }
            guard schemes.contains(origin.scheme) else {
                throw ImageError(
                    .refused, .load,
                    "\(origin.scheme) is not allowed; allow it with HTTPLoader.Configuration.schemes")
            }
            guard ports?.contains(origin.port) ?? true else {
                throw ImageError(
                    .refused, .load,
                    "port \(origin.port) is not allowed; allow it with HTTPLoader.Configuration.ports")
            }
        }

        private func checkNumbers() throws(ImageError) {
            try require(transferLimit >= 1, setting: "transferLimit", rule: "must be at least 1")
            try require(
                transferLimitPerHost ?? 1 >= 1, setting: "transferLimitPerHost",
                rule: "must be at least 1")
            try require(redirectLimit >= 0, setting: "redirectLimit", rule: "must not be negative")
            try require(resumeLimit >= 0, setting: "resumeLimit", rule: "must not be negative")
            try require(decompressionRatioLimit >= 1, setting: "decompressionRatioLimit", rule: "must be at least 1")
            try require(connectTimeout > .zero, setting: "connectTimeout", rule: "must be positive")
            let timeouts = [
                ("firstByteTimeout", firstByteTimeout), ("idleTimeout", idleTimeout), ("totalTimeout", totalTimeout),
                ("pingTimeout", pingTimeout),
            ]
            for (name, timeout) in timeouts {
                try require(
                    timeout ?? .seconds(1) > .zero, setting: name, rule: "must be positive, or nil for no timeout")
            }
        }

        private func checkSets() throws(ImageError) {
            try require(
                acceptableStatusCodes?.isEmpty != true, setting: "acceptableStatusCodes", rule: "must not be empty")
            try require(
                acceptableContentTypes?.isEmpty != true, setting: "acceptableContentTypes", rule: "must not be empty")
            try require(
                !schemes.isEmpty && schemes.isSubset(of: ["http", "https"]), setting: "schemes",
                rule: "must be http, https or both")
            let ports = ports ?? [80]
            try require(
                !ports.isEmpty && ports.allSatisfy { (1...65535).contains($0) }, setting: "ports",
                rule: "must be numbers from 1 to 65535, and at least one")
        }

        private func checkHeaders() throws(ImageError) {
            for (name, value) in headers {
                try require(
                    name.isHTTPToken && value.isHTTPFieldValue, setting: "headers",
                    rule: "contains a field with invalid characters")
            }
            for (origin, credential) in credentials {
                try require(
                    Origin(text: origin) != nil, setting: "credentials",
                    rule: "contains a key that is not an origin such as https://example.com")
                try require(
                    credential.authorization != nil, setting: "credentials",
                    rule: "contains a credential that cannot be sent")
            }
        }

        private func checkSecurity() throws(ImageError) {
            try require(
                proxy?.isValid ?? true, setting: "proxy",
                rule: "must have a host, a port from 1 to 65535, and a valid credential")
            try require(
                trustRoots.authorities.isValid, setting: "trustRoots", rule: "contains no certificates in PEM form")
            try require(
                trustRoots.authorities.isSystem || !allowsInvalidCertificates, setting: "trustRoots",
                rule: "has no effect with allowsInvalidCertificates")
            if let network = addressPolicy.invalidNetworks.first {
                try require(
                    false, setting: "addressPolicy",
                    rule: "contains \(network.debugDescription), which is not a network such as 10.0.0.0/8")
            }
        }

        private func require(_ isValid: Bool, setting: String, rule: String) throws(ImageError) {
            guard !isValid else { return }
            throw ImageError(.refused, .request, "HTTPLoader.Configuration.\(setting) \(rule)")
        }
    }
#endif

#if HTTP
    public import DarkroomCore
    import DarkroomPlatform

    // The access rules that cached results must pass as well: a request never receives what this loader would not
    // have fetched for it.
    extension HTTPLoader {
        /// Whether schemes, ports, addresses or URLs are restricted.
        public var restrictsAccess: Bool {
            hosts != nil || configuration.ports != nil || configuration.checkURL != nil
                || !configuration.schemes.isSuperset(of: ["http", "https"])
        }

        /// Throws an error if the scheme, the port, the URL or a literal address is not allowed. Names are not
        /// resolved.
        public func check(_ request: LoadRequest) throws(ImageError) {
            let url = try request.url.withoutUser.url
            try configuration.check(url)
            if let hosts, let host = url.host { _ = try hosts.literalAddress(of: host) }
        }

        /// Returns whether a cached entry may be used: it came only from URLs and addresses that are allowed now, with
        /// no credentials that `request` would not send to the same places.
        ///
        /// Which credential was used is not recorded, so other users of the same caches get the entry too, unless the
        /// origin distinguishes them with `Vary`. A restricted loader permits no entry without a record of how it was
        /// reached.
        public func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
            guard let route else { return !restrictsAccess }
            return route.hops.allSatisfy(allows) && sendsCredentials(of: route, for: request)
        }

        private func allows(_ hop: SourceRoute.Hop) -> Bool {
            guard (try? configuration.check(hop.url)) != nil, let host = hop.url.host else { return false }
            return hosts?.permits(hop.address, of: host) ?? true
        }

        /// Whether `request` would send the same kinds of credential to each hop of `route`.
        private func sendsCredentials(of route: SourceRoute, for request: LoadRequest) -> Bool {
            guard route.usesCredentials else { return true }
            guard
                let first = try? RedirectHop(
                    for: request, configuration: currentConfiguration,
                    sendsClientCertificate: connections.sendsClientCertificate)
            else {
                return false
            }
            return route.hops.allSatisfy { past in
                guard !past.credentials.isEmpty else { return true }
                var hop = first
                guard (try? hop.follow(to: past.url)) != nil, let sent = try? hop.credentials else { return false }
                return past.credentials.isSubset(of: sent)
            }
        }
    }
#endif

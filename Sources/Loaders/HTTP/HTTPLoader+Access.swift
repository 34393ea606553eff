#if HTTP
    public import DarkroomCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // What the caches may give to requests of this loader: nothing that it would not have fetched itself.
    extension HTTPLoader {
        /// Whether schemes, ports, addresses or URLs are restricted.
        public var restrictsAccess: Bool {
            hosts != nil || configuration.ports != nil || configuration.checkURL != nil
                || !configuration.schemes.isSuperset(of: ["http", "https"])
        }

        /// Refuses a scheme, a port, a URL or a literal address that is not allowed. Names are not resolved.
        public func check(_ request: LoadRequest) throws(ImageError) {
            let url = try request.url.withoutUser.url
            try configuration.check(url)
            if let hosts, let host = url.host { _ = try hosts.literalAddress(of: host) }
        }

        /// Permits what came only from URLs and addresses that are allowed now, and with no other credentials than those that
        /// `request` would send to the same places.
        ///
        /// Which credential it was is not kept, so another user of this loader's caches gets it, too, unless the origin tells
        /// them apart by `Vary`. A restricted loader permits nothing of which it is not known how it was reached.
        public func permits(_ reach: SourceReach?, for request: LoadRequest) -> Bool {
            guard let reach else { return !restrictsAccess }
            return reach.hops.allSatisfy(allows) && sendsCredentials(of: reach, request)
        }

        private func allows(_ hop: SourceReach.Hop) -> Bool {
            guard (try? configuration.check(hop.url)) != nil, let host = hop.url.host else { return false }
            return hosts?.permits(hop.address, of: host) ?? true
        }

        /// Whether `request` would send to each place of `reach` what was sent there.
        private func sendsCredentials(of reach: SourceReach, _ request: LoadRequest) -> Bool {
            guard reach.usesCredentials else { return true }
            guard let first = try? Hop(request, configuration, identifiesClient: connections.identifyClient) else {
                return false
            }
            return reach.hops.allSatisfy { past in
                guard !past.credentials.isEmpty else { return true }
                var hop = first
                guard (try? hop.follow(to: past.url)) != nil, let sent = try? hop.credentials else { return false }
                return past.credentials.isSubset(of: sent)
            }
        }
    }
#endif

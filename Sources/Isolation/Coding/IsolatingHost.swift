#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    /// The workers of a pool, as the place in which the coders of a registry work.
    struct IsolatingHost: CoderHost {
        let pool: WorkerPool

        func hosted(_ coders: [any ImageCoder]) -> [any ImageCoder] {
            zip(coders, CoderName.names(of: coders)).map { coder, name in
                let isolated = IsolatedCoder(base: coder, name: name, pool: pool)
                guard let encoder = coder as? any EncodingImageCoder else { return isolated }
                return IsolatedEncoder(encoder, coder: isolated)
            }
        }

        /// A file with the signature of a coder that accepts nothing else is not parsed to find that out.
        func coder(for data: Data, among coders: [any ImageCoder]) throws(ImageError) -> (any ImageCoder)? {
            if let match = match(of: data, among: coders) { return match }
            return recognizes(data, among: coders) ? nil : try choose(for: data, among: coders)
        }

        func recognizes(_ data: Data, among coders: [any ImageCoder]) -> Bool {
            data.isEmpty || match(of: data, among: coders) != nil
                || coders.allSatisfy { ($0 as? any FinishingCoder)?.base is any SignatureCoder }
        }

        /// Returns the coder whose signature `data` has, if it accepts all files with it and no others.
        private func match(of data: Data, among coders: [any ImageCoder]) -> (any ImageCoder)? {
            let match = coders.last { coder in coder.formats.contains { $0.matches(data) } }
            return (match as? any FinishingCoder)?.base is any SignatureCoder ? match : nil
        }

        private func choose(
            for data: Data, among coders: [any ImageCoder]
        ) throws(ImageError) -> (any ImageCoder)? {
            do {
                let indices = try CoderName.names(of: coders.map { ($0 as? any FinishingCoder)?.base ?? $0 })
                    .map { try pool.index(of: $0) }
                let monitor = WorkMonitor.ofPool
                return try naming(data) {
                    try pool.withWorker(for: .choosing, check: monitor.check) { worker in
                        var call = Call(.choose, monitor)
                        call.message.put(data.count)
                        call.message.put(indices) { $0.put($1) }
                        call.descriptors.input = try unsafe data.withUnsafeBytes { try unsafe worker.place([$0]) }
                        defer { call.closeDescriptors() }
                        guard var payload = try worker.optionalResult(of: call) else { return nil }
                        let place = try payload.count()
                        guard coders.indices.contains(place) else { throw MalformedMessage() }
                        return coders[place]
                    }
                }
            } catch {
                throw ImageError(error, in: .decode)
            }
        }

        func validate(_ coders: [any ImageCoder]) throws(ImageError) {
            for name in CoderName.names(of: coders.map { ($0 as? any FinishingCoder)?.base ?? $0 }) {
                _ = try pool.index(of: name)
            }
        }
    }

    extension Purpose {
        fileprivate static let choosing = Purpose(stage: .decode, description: "that recognizes the file")
    }
#endif

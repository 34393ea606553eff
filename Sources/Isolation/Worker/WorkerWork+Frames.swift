#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    // Animations.
    extension WorkerWork {
        mutating func openFrames(
            _ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration
        ) throws -> Answer {
            let session = try openSession(&reader, memory, timeLeft)
            let decoding = try decoding(session, &reader)
            let frameCount = session.info.frameCount
            guard try reader.count() <= frameCount else { throw MalformedMessage() }
            let decoder = try decoding.makeFinishedFrames()
            if animations.count == Self.keptCount { animations.removeFirst() }
            animations.append((session.token, frameCount, decoder))
            return Answer()
        }

        /// Seeks, or decodes the next frame. The animation is kept if that fails, and the next call goes on from there.
        mutating func nextFrame(_ reader: inout MessageReader, _ memory: CallMemory) throws -> Answer {
            let token = try reader.integer(UInt64.self)
            let isSeeking = try reader.bool()
            guard let place = animations.firstIndex(where: { $0.token == token }) else {
                return Answer(status: .forgotten)
            }
            var animation = animations.remove(at: place)
            defer { animations.append(animation) }
            if isSeeking {
                let (index, position) = (try reader.count(), try reader.count())
                guard index < animation.frameCount else { throw MalformedMessage() }
                return try seek(&animation.decoder, to: index, from: position)
            }
            let capacity = try reader.count()
            return try unsafe memory.withOutput(count: capacity) { start in
                try unsafe frame(&animation.decoder, at: start, capacity)
            }
        }

        private func seek(
            _ decoder: inout any FrameDecoder, to index: Int, from position: Int
        ) throws -> Answer {
            if try !decoder.seek(to: index) {
                // To go back, it is opened again.
                guard position <= index else { return Answer(status: .forgotten) }
                // A frame that cannot be decoded is skipped, as in playback.
                for _ in position..<index { _ = try? decoder.nextFrame() }
            }
            return Answer()
        }

        private func frame(
            _ decoder: inout any FrameDecoder, at start: UnsafeMutableRawPointer, _ capacity: Int
        ) throws -> Answer {
            // Decoders keep bitmaps between frames, so none is made in the output.
            guard let frame = try decoder.nextFrame() else { return Answer(status: .none) }
            var answer = Answer()
            try unsafe answer.put(FinishedBitmap(frame.bitmap), at: start, capacity: capacity)
            answer.payload.put(frame.duration)
            answer.payload.put(frame.damage) { $0.put($1) }
            return try answer.checked()
        }
    }

    /// The transfer of a file, of which previews are made.
    struct Transfer {
        let session: WorkerWork.Session
        var decoder: any FinishedPreviewDecoder
        let decoding: Decoding
    }

    // Previews.
    extension WorkerWork {
        mutating func openPreviews(
            _ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration
        ) throws -> Answer {
            let opened = try openSession(&reader, memory, timeLeft)
            let decoding = try decoding(opened, &reader)
            guard let decoder = try decoding.makeFinishedPreviews() else {
                throw ImageError(.unsupported, .decode, "the coder makes no previews")
            }
            if transfers.count == Self.keptCount { transfers.removeFirst() }
            transfers.append(Transfer(session: opened, decoder: decoder, decoding: decoding))
            return Answer()
        }

        mutating func appendPreview(_ reader: inout MessageReader, _ memory: CallMemory) throws -> Answer {
            let token = try reader.integer(UInt64.self)
            // A copy, because the input is used for other files meanwhile.
            let bytes = Data([UInt8](try memory.data(count: try reader.count())))
            let capacity = try reader.count()
            guard let place = transfers.firstIndex(where: { $0.session.token == token }) else {
                return Answer(status: .forgotten)
            }
            var transfer = transfers.remove(at: place)
            let request = transfer.decoding.request
            let finished = try request.monitor.clock.run { try transfer.decoder.append(bytes) }
            transfers.append(transfer)
            var answer = Answer(status: finished == nil ? .none : .done)
            answer.payload.put(transfer.decoder.frameDurations) { $0.put($1) }
            guard let finished else { return try answer.checked() }
            return try unsafe memory.withOutput(count: capacity) { start in
                try unsafe answer.put(finished, at: start, capacity: capacity)
                answer.put(notesOf: request)
                return try answer.checked()
            }
        }

        /// Finishes a transfer with the header of the complete file, which is that of the last header.
        mutating func finishPreviews(_ reader: inout MessageReader, _ memory: CallMemory) throws -> Answer {
            let token = try reader.integer(UInt64.self)
            let fileToken = try reader.integer(UInt64.self)
            guard let session, session.token == fileToken,
                let place = transfers.firstIndex(where: { $0.session.token == token })
            else { return Answer(status: .forgotten) }
            let decoding = try decoding(session, &reader)
            let capacity = try reader.count()
            var transfer = transfers.remove(at: place)
            let clock = session.request.monitor.clock
            let finished = try clock.run { try transfer.decoder.finish(decoding.request) }
            return try unsafe memory.withOutput(count: capacity) { start in
                var answer = Answer()
                try unsafe answer.put(finished, at: start, capacity: capacity)
                answer.put(notesOf: transfer.decoding.request)
                answer.put(notesOf: decoding.request)
                return try answer.checked()
            }
        }
    }

    extension Answer {
        /// Adds the notes and the method of `request`.
        mutating func put(notesOf request: DecodeRequest) {
            payload.put(request.notes) { $0.put($1) }
            payload.put(request.truncationNotes) { $0.put($1) }
            payload.put(request.method) { $0.put($1) }
        }
    }
#endif

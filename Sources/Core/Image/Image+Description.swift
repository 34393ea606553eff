extension Image: CustomStringConvertible {
    /// One line, such as `jpeg, 180×120 of 4000×3000, incomplete: the file is truncated`. It is meant to be read, and may
    /// change with any version.
    public var description: String {
        let stored = info.size
        var parts = ["\(info.format)", size == stored ? "\(size)" : "\(size) of \(stored)"]
        if let animation { parts.append("\(animation.frameCount) frames") }
        if metadata.isTransformed { parts.append("transformed") }
        if metadata.isPreview { parts.append("preview") }
        let notes = metadata.notes.joined(separator: "; ")
        if metadata.isIncomplete {
            parts.append(notes.isEmpty ? "incomplete" : "incomplete: \(notes)")
        } else if !notes.isEmpty {
            parts.append(notes)
        }
        return parts.joined(separator: ", ")
    }
}

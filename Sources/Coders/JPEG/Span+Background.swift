import DarkroomCore

extension Span<UInt8> {
    /// Returns these RGBA8 pixels with straight alpha composed over `background`; the result is opaque.
    func composed(over background: Color) -> [UInt8] {
        let background = [background.red, background.green, background.blue].map(Int.init)
        var pixels = [UInt8](repeating: 255, count: count)
        for start in stride(from: 0, to: count, by: 4) {
            let alpha = Int(self[start + 3])
            for channel in 0..<3 {
                let sum = Int(self[start + channel]) * alpha + background[channel] * (255 - alpha)
                pixels[start + channel] = UInt8((sum + 127) / 255)
            }
        }
        return pixels
    }
}

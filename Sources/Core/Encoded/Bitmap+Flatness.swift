extension Bitmap {
    /// Whether at least half of the visible pixels have the colour of their neighbour, as in a graphic, which is smaller
    /// without losses.
    var isFlat: Bool {
        unsafe withWords { pixels in
            var (equalCount, transparentCount) = (0, 0)
            for index in 1..<pixels.count {
                let pixel = unsafe pixels[index]
                // Transparent pixels have no colour, so that all bits are 0.
                if pixel == 0 {
                    transparentCount += 1
                } else if unsafe pixel == pixels[index - 1] {
                    equalCount += 1
                }
            }
            return 2 * equalCount >= pixels.count - transparentCount
        }
    }
}

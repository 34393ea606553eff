extension Bitmap {
    /// Returns the same pixels with another alpha flag. To remove alpha, the caller must know that they are opaque.
    package func with(alpha: Bool) -> Bitmap { hasAlpha == alpha ? self : Bitmap(relabelling: self, hasAlpha: alpha) }

    /// Returns a copy with `pixels` drawn at `area`, which has their size and is within bounds. They are composited
    /// over the existing pixels, or replace them.
    ///
    /// It may reuse the memory of `spare`, as `clearing(_:into:limits:)` may.
    func drawing(
        _ pixels: Bitmap, at area: PixelRectangle, over: Bool, into spare: inout Bitmap?, limits: DecodeLimits
    ) throws -> Bitmap {
        unsafe try copied(into: &spare, limits: limits) { target in
            let width = size.width
            unsafe pixels.withWords { source in
                for y in 0..<area.height {
                    let start = (area.y + y) * width + area.x
                    let row = unsafe UnsafeBufferPointer(rebasing: source[(y * area.width)..<((y + 1) * area.width)])
                    let destination = unsafe UnsafeMutableBufferPointer(rebasing: target[start..<(start + area.width)])
                    if over {
                        for x in 0..<area.width { unsafe destination[x] = row[x].over(destination[x]) }
                    } else {
                        _ = unsafe destination.update(fromContentsOf: row)
                    }
                }
            }
        }
    }

    /// Returns a copy that is transparent in `area`, which is within bounds.
    func clearing(_ area: PixelRectangle, into spare: inout Bitmap?, limits: DecodeLimits) throws -> Bitmap {
        unsafe try copied(into: &spare, limits: limits) { target in
            for y in area.y..<(area.y + area.height) {
                let start = y * size.width + area.x
                for x in start..<(start + area.width) { unsafe target[x] = 0 }
            }
        }
    }

    /// Returns the pixels in `area`, which is within bounds and not empty.
    package func part(_ area: PixelRectangle) -> Bitmap {
        precondition(!area.isEmpty && area.clamped(to: size) == area, "\(area) is not within \(size)")
        return unsafe moved(to: area.size) { from, to in
            for y in 0..<area.height {
                let start = (area.y + y) * size.width + area.x
                for x in 0..<area.width { unsafe to[y * area.width + x] = from[start + x] }
            }
        }
    }

    /// Returns the `size` pixels in the centre, which are no more than there are. Of an odd number of other rows or
    /// columns, one more is left out at the bottom or on the right.
    package func center(_ size: PixelSize) -> Bitmap {
        guard size != self.size else { return self }
        return part(
            PixelRectangle(
                x: (self.size.width - size.width) / 2, y: (self.size.height - size.height) / 2, width: size.width,
                height: size.height))
    }

    /// Returns the smallest rectangle with all pixels that differ from those of `other`, a bitmap of the same size;
    /// `nil` if none do.
    package func difference(to other: Bitmap) -> PixelRectangle? {
        precondition(size == other.size, "bitmaps of different sizes have no common rectangle")
        let (width, height) = (size.width, size.height)
        return unsafe withWords { left in
            unsafe other.withWords { right in
                func differ(_ x: Int, _ y: Int) -> Bool { unsafe left[y * width + x] != right[y * width + x] }
                guard let top = (0..<height).first(where: { y in (0..<width).contains { differ($0, y) } }),
                    let bottom = (top..<height).last(where: { y in (0..<width).contains { differ($0, y) } }),
                    let first = (0..<width).first(where: { x in (top...bottom).contains { differ(x, $0) } }),
                    let last = (first..<width).last(where: { x in (top...bottom).contains { differ(x, $0) } })
                else { return nil }
                return PixelRectangle(x: first, y: top, width: last - first + 1, height: bottom - top + 1)
            }
        }
    }
}

extension UInt32 {
    /// Returns this pixel over another one, by the Porter–Duff operator, rounded once.
    fileprivate func over(_ below: UInt32) -> UInt32 {
        let (pixel, under) = (littleEndian, below.littleEndian)
        let (alpha, alphaBelow) = (pixel >> 24, under >> 24)
        if alpha == 255 || alphaBelow == 0 { return self }
        if alpha == 0 { return below }
        if alphaBelow == 255 { return UInt32(littleEndian: pixel.mixed(with: under, alpha: alpha)) }
        // Both weights are in units of 1/255².
        let (weight, weightBelow) = (alpha * 255, alphaBelow * (255 - alpha))
        let sum = weight + weightBelow
        var result = ((sum + 127) / 255) << 24
        for shift in [UInt32(0), 8, 16] {
            let mixed = (pixel >> shift & 255) * weight + (under >> shift & 255) * weightBelow
            result |= ((mixed + sum / 2) / sum) << shift
        }
        return UInt32(littleEndian: result)
    }

    /// Returns this pixel over an opaque one, where the divisor is 255. Computes two channels at a time.
    private func mixed(with under: UInt32, alpha: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        func mixed(_ pixel: UInt32, over under: UInt32) -> UInt32 {
            // Each half is at most 255² + 128 before it is divided by 255 and rounded.
            let sum = (pixel & mask) * alpha + (under & mask) * (255 - alpha) + 0x0080_0080
            return (sum + (sum >> 8 & mask)) >> 8 & mask
        }
        return mixed(self, over: under) | mixed(self >> 8, over: under >> 8) << 8 | 0xFF00_0000
    }
}

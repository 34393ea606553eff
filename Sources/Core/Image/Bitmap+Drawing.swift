extension Bitmap {
    /// Returns the same pixels with another alpha flag. To remove alpha, the caller must know that they are opaque.
    package func with(alpha: Bool) -> Bitmap { hasAlpha == alpha ? self : Bitmap(relabelling: self, hasAlpha: alpha) }

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

    /// Returns the `size` pixels around `focus`, which are no more than there are.
    package func cropped(to size: PixelSize, around focus: Thumbnail.Focus) -> Bitmap {
        size == self.size ? self : part(focus.area(of: size, in: self.size))
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

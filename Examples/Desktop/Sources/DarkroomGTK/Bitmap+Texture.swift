import CGTK
public import DarkroomCore

extension Bitmap {
    /// Returns a new `GdkTexture` of the pixels, which are not copied: the texture keeps the bitmap alive.
    ///
    /// The caller owns the texture, and releases it with `g_object_unref`.
    public func makeTexture() -> OpaquePointer {
        let bytes = PixelOwner(bitmap: self).makeBytes()
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(
            gint(size.width), gint(size.height), GDK_MEMORY_R8G8B8A8, bytes, gsize(size.width * 4))
    }
}

/// Keeps the pixels of a texture alive. It is released on any thread.
final class PixelOwner: Sendable {
    private let bitmap: Bitmap

    init(bitmap: Bitmap) { self.bitmap = bitmap }

    /// Returns a new `GBytes` of the pixels, which keeps this object alive.
    func makeBytes() -> OpaquePointer {
        let owner = Unmanaged.passRetained(self).toOpaque()
        // The address stays valid, because a copy of the bitmap exists as long as the owner.
        return bitmap.withPixels { pixels in
            pixels.withUnsafeBufferPointer {
                g_bytes_new_with_free_func(
                    $0.baseAddress, gsize($0.count), { Unmanaged<PixelOwner>.fromOpaque($0!).release() }, owner)
            }
        }
    }
}

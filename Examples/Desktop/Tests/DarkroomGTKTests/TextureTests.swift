import CGTK
import DarkroomCore
@testable import DarkroomGTK
import Testing

struct TextureTests {
    private let bytes: [UInt8] = [1, 2, 3, 255, 40, 50, 60, 128, 0, 0, 0, 0, 7, 8, 9, 255]

    @Test func bytesAreThePixelsThemselves() throws {
        let bitmap = try Bitmap(PixelSize(2, 2), bytes: bytes)
        let shared = PixelOwner(bitmap: bitmap).makeBytes()
        defer { g_bytes_unref(shared) }
        let address = bitmap.withPixels { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        var count: gsize = 0
        #expect(UInt(bitPattern: g_bytes_get_data(shared, &count)) == address)
        #expect(count == 16)
    }

    @Test func textureKeepsThePixelsAliveUntilItsEnd() throws {
        weak var owner: PixelOwner?
        let shared: OpaquePointer
        do {
            let bitmap = try Bitmap(PixelSize(2, 2), bytes: bytes)
            let strong = PixelOwner(bitmap: bitmap)
            owner = strong
            shared = strong.makeBytes()
        }
        let texture = gdk_memory_texture_new(2, 2, GDK_MEMORY_R8G8B8A8, shared, 8)
        g_bytes_unref(shared)
        #expect(owner != nil)
        g_object_unref(texture?.object)
        #expect(owner == nil)
    }

    @Test func textureHasTheColorsOfTheBitmap() throws {
        let bitmap = try Bitmap(PixelSize(2, 2), bytes: bytes)
        let texture = bitmap.makeTexture()
        defer { g_object_unref(texture.object) }
        #expect(gdk_texture_get_width(texture) == 2 && gdk_texture_get_height(texture) == 2)
        // Premultiplied, blue first.
        var downloaded = [UInt8](repeating: 1, count: 16)
        gdk_texture_download(texture, &downloaded, 8)
        #expect(downloaded == [3, 2, 1, 255, 30, 25, 20, 128, 0, 0, 0, 0, 9, 8, 7, 255])
    }
}

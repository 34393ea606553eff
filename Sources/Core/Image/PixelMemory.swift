#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import Synchronization

/// System pages for the pixels of large bitmaps. Some returned pages are cached and reused, because the system clears
/// each new page, which takes a tenth of the time of decoding a photograph.
///
/// The system may reclaim the cached pages at any time when it needs memory.
enum PixelMemory {
    /// A run of pages. Their contents are undefined and may be the pixels of other bitmaps.
    @safe private struct Pages {
        let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    /// The cached pages, the oldest first.
    // Sendable despite its pointers: they are used only under the mutex, and no others to these pages exist.
    private struct PageCache: @unchecked Sendable {
        var pages: [Pages] = []
        var byteCount = 0
    }

    /// The maximum number of bytes cached: enough for a few photographs.
    static let cacheByteLimit = 128 << 20

    private static let cache = Mutex(PageCache())

    /// The number of bytes cached.
    static var cachedByteCount: Int { cache.withLock { $0.byteCount } }

    /// Returns zeroed pages for `byteCount` bytes; `nil` if the system has none.
    static func allocateZeroed(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let memory = unsafe mmap(nil, mapped(byteCount), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        #if os(Linux)
            // Faulting in 12 megapixels by small pages takes a third of the time of decoding them.
            unsafe madvise(memory, mapped(byteCount), MADV_HUGEPAGE)
        #endif
        return unsafe memory
    }

    /// Returns pages for `byteCount` bytes with undefined contents; `nil` if the system has none.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        unsafe reuse(mapped(byteCount))?.start ?? allocateZeroed(byteCount)
    }

    /// Caches or releases the pages at `start`, which were allocated for `byteCount` bytes.
    static func deallocate(_ start: UnsafeMutableRawPointer, byteCount: Int) {
        let pages = unsafe Pages(start: start, byteCount: mapped(byteCount))
        #if os(Linux)
            guard pages.byteCount <= cacheByteLimit, unsafe madvise(start, pages.byteCount, MADV_FREE) == 0 else {
                return release(pages)
            }
            let surplus = cache.withLock { cache in
                cache.pages.append(pages)
                cache.byteCount += pages.byteCount
                return removeSurplus(&cache)
            }
            for pages in surplus { release(pages) }
        #else
            release(pages)
        #endif
    }

    private static func reuse(_ byteCount: Int) -> Pages? {
        cache.withLock { cache in
            guard let index = cache.pages.lastIndex(where: { $0.byteCount == byteCount }) else { return nil }
            cache.byteCount -= byteCount
            return cache.pages.remove(at: index)
        }
    }

    private static func removeSurplus(_ cache: inout PageCache) -> [Pages] {
        var surplus: [Pages] = []
        while cache.byteCount > cacheByteLimit {
            let oldest = cache.pages.removeFirst()
            cache.byteCount -= oldest.byteCount
            surplus.append(oldest)
        }
        return surplus
    }

    private static func release(_ pages: Pages) { unsafe munmap(pages.start, pages.byteCount) }

    /// Returns the number of bytes to map for `byteCount`: a multiple of 2 MiB, or of up to an eighth of the size, so
    /// that bitmaps of similar sizes can reuse each other's pages. Untouched pages take no memory.
    private static func mapped(_ byteCount: Int) -> Int {
        let step = max(2 << 20, 1 << (Int.bitWidth - 4 - byteCount.leadingZeroBitCount))
        let (sum, overflow) = byteCount.addingReportingOverflow(step - 1)
        return overflow ? byteCount : sum / step * step
    }
}

import DarkroomPlatform
import Dispatch
import Synchronization

/// System pages for the pixels of large bitmaps, and for intermediate results of their size.
///
/// Some returned pages are cached and reused, because the system clears each new page, which takes a tenth of the time of
/// decoding a photograph.
///
/// The system may reclaim cached pages once they have not been used for some seconds. Sooner, it would clear them again
/// for the next image.
package enum PixelMemory {
    /// The size from which on memory is mapped from the system, so as not to fragment the heap.
    static let minimumByteCount = 4 << 20

    /// The number of bytes cached for each thread that decodes: enough for a photograph of 8 megapixels and its
    /// coefficients.
    private static let byteCountPerThread = 64 << 20

    /// The maximum number of bytes cached: for a thread on each processor, but at most a sixteenth of the memory that this
    /// process may use.
    static let cacheByteLimit = min(
        SystemProcessors.usableCount * byteCountPerThread, SystemMemory().byteCount / 16)

    /// The maximum number of bytes cached in a worker process, which starts no threads; -1 in others. It is set before there are
    /// any pixels.
    private static let workerLimit = Atomic(-1)

    private static var isOfWorker: Bool { workerLimit.load(ordering: .relaxed) >= 0 }

    /// Prepares a worker process: reads what it later may not read, and starts no timer for cached pages.
    ///
    /// They then stay until they are reused, but are no more than those of a thread, and than `cacheByteLimit` bytes.
    package static func prepareForWorker(cacheByteLimit limit: Int) {
        workerLimit.store(min(cacheByteLimit, byteCountPerThread, max(0, limit)), ordering: .relaxed)
    }

    private static var currentCacheByteLimit: Int {
        let limit = workerLimit.load(ordering: .relaxed)
        return limit >= 0 ? limit : cacheByteLimit
    }

    private static let hugePage = 2 << 20

    /// The time after which the system may reclaim unused pages.
    static let unreclaimableTime = Duration.seconds(5)

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
        let pages = unsafe PageRun(start: start, byteCount: mapped(byteCount))
        #if os(Linux)
            guard pages.byteCount <= currentCacheByteLimit else { return release(pages) }
            store(pages)
        #else
            release(pages)
        #endif
    }

    private static func reuse(_ byteCount: Int) -> PageRun? { cache.withLock { $0.remove(byteCount) } }

    private static func store(_ pages: PageRun) {
        let (surplus, isDue) = cache.withLock { cache in
            cache.add(pages)
            return (cache.removeSurplus(beyond: currentCacheByteLimit), cache.beginSchedule())
        }
        if isDue, !isOfWorker { schedule() }
        for pages in surplus { release(pages) }
    }

    private static func schedule() {
        let seconds = unreclaimableTime.inSeconds
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { makeReclaimable() }
    }

    /// Lets the system reclaim the pages that have not been used for some time.
    private static func makeReclaimable() {
        let end = ContinuousClock.now - unreclaimableTime
        let (unused, isDue) = cache.withLock { cache in
            let unused = cache.removeUnused(since: end)
            cache.isScheduled = false
            return (unused, cache.beginSchedule())
        }
        if isDue { schedule() }
        for var pages in unused {
            #if os(Linux)
                guard unsafe madvise(pages.start, pages.byteCount, MADV_FREE) == 0 else {
                    release(pages)
                    continue
                }
            #endif
            pages.isReclaimable = true
            store(pages)
        }
    }

    private static func release(_ pages: PageRun) { unsafe munmap(pages.start, pages.byteCount) }

    /// Returns the number of bytes to map for `byteCount`: whole huge pages. Untouched pages take no memory.
    private static func mapped(_ byteCount: Int) -> Int {
        let (sum, overflow) = byteCount.addingReportingOverflow(hugePage - 1)
        return overflow ? byteCount : sum / hugePage * hugePage
    }
}

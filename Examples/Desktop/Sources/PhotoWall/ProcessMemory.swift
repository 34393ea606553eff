import CGTK

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The memory of this process.
public enum ProcessMemory {
    /// The resident bytes; 0 where the system does not tell.
    public static var residentByteCount: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)).split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The bytes of all allocations in use; 0 where the allocator does not tell.
    ///
    /// Unlike the resident bytes, it does not depend on what the allocator keeps for later.
    public static var allocatedByteCount: Int { darkroom_allocated_memory() }
}

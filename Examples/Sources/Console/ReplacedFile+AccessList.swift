import CExtendedAttributes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ReplacedFile {
    /// Gives the access control list of this file, or none if it has none, to the open file with this `number`, which may have
    /// another one from its folder. Returns whether the permissions of the group mean the same for both files then.
    func copyAccessList(to number: Int32) -> Bool {
        #if canImport(Darwin)
            // Its lists do not change what the permissions of the group mean.
            return true
        #else
            let name = "system.posix_acl_access"
            // No attribute is larger.
            var list = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe getxattr(path.systemPath, name, &list, list.count)
            if count >= 0 { return unsafe fsetxattr(number, name, list, count, 0) == 0 }
            guard hasFailedForLackOfList else { return false }
            return unsafe fremovexattr(number, name) == 0 || hasFailedForLackOfList
        #endif
    }
}

#if !canImport(Darwin)
    /// Whether the file of the call that has just failed has no list, or its file system has none.
    private var hasFailedForLackOfList: Bool { errno == ENODATA || errno == EOPNOTSUPP }
#endif

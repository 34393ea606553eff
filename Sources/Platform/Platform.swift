// The modules of the platform, chosen once: Foundation without its internationalization where that is a module of its own,
// and the C library. A file imports this module at the level at which its declarations use theirs.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Darwin
#endif

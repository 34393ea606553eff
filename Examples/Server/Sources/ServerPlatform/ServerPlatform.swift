// The modules of the platform, chosen once, as in the package of the library: Foundation without its internationalization,
// which is 40 MB of every program that links it, and the C library.
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

@_exported public import DarkroomCacheKeyFilters
@_exported public import DarkroomCaches
@_exported public import DarkroomColor
@_exported public import DarkroomCore
@_exported public import DarkroomFile
@_exported public import DarkroomGIF
@_exported public import DarkroomJPEG
@_exported public import DarkroomPNG
@_exported public import DarkroomPlayback
@_exported public import DarkroomTargets
@_exported public import DarkroomTransformers
@_exported public import DarkroomVisualQuality
@_exported public import DarkroomWebP

#if HTTP
    @_exported public import DarkroomHTTP
#endif

#if Observability
    @_exported public import DarkroomObservability
#endif

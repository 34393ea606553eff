extension CoderRegistry {
    /// All coders included in Darkroom, with conversion of colours to sRGB and the metric of visual targets: what the
    /// standard manager decodes and encodes with.
    public static var standard: CoderRegistry {
        var registry = CoderRegistry([GIFCoder(), WebPCoder(), JPEGCoder(), PNGCoder()])
        registry.colorConverter = LittleCMSConverter()
        registry.comparator = SSIMULACRA2()
        return registry
    }
}

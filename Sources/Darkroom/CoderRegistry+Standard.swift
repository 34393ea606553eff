extension CoderRegistry {
    /// All coders included in Darkroom, with conversion of colours to sRGB: what the standard manager decodes and encodes
    /// with.
    public static var standard: CoderRegistry {
        var registry = CoderRegistry([GIFCoder(), WebPCoder(), JPEGCoder(), PNGCoder()])
        registry.colorConverter = LittleCMSConverter()
        return registry
    }
}

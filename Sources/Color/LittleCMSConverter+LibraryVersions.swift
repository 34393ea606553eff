import SystemLCMS

extension LittleCMSConverter {
    /// The library that the converter uses, with the version that is loaded.
    public static var libraryVersions: [String: String] {
        let version = cmsGetEncodedCMMversion()
        return ["lcms2": "\(version / 1000).\(version % 1000 / 10)" + (version % 10 == 0 ? "" : ".\(version % 10)")]
    }
}

import ArgumentParser

/// The options that control how results are reported.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Print only errors.")
    var quiet = false
}

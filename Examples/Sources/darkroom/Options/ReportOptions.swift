import ArgumentParser

/// The options that control how results are reported.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Flag(help: "Print nothing but errors.")
    var quiet = false
}

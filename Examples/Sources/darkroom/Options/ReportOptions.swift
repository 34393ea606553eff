import ArgumentParser

/// In which form results are told.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Flag(help: "Print nothing but errors.")
    var quiet = false
}

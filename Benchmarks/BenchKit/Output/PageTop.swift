// SPDX-License-Identifier: Apache-2.0

/// The top of the page: the verdict, five figures, and the machine.
enum PageTop {
    static func html(_ report: Report, budgets: Budgets) -> String {
        let headline = Headline(report, budgets: budgets)
        let cards = headline.cards.map(card)
        return """
            <header>
            <h1>Swivel and its rivals</h1>
            <p class="verdict">\(HTML.escaped(headline.verdict))</p>
            <ul class="cards">
            \(cards.joined(separator: "\n"))
            </ul>
            <p>Swivel and each rival did the same work in turns: in one process, but for libev,
            libevent, Go and tokio, each of which had a process of its own. A figure is the median
            of the rounds’ ratios. Absolute times depend on the machine; ratios do so far less.</p>
            </header>
            \(warnings(report))
            \(missing(report))
            <section>
            <h2 id="machine">The machine</h2>
            \(facts(report))
            </section>
            """
    }

    /// The number large, and beside it whether that is good.
    private static func card(_ card: Headline.Card) -> String {
        let number = card.figure.prefix { $0 != " " }
        let word = card.figure.dropFirst(number.count)
        return """
            <li class="\(card.isLoss ? "bad" : "good")"><b><strong>\(HTML.escaped(String(number)))\
            </strong>\(HTML.escaped(String(word)))</b> <span>\(HTML.escaped(card.text))</span></li>
            """
    }

    private static func warnings(_ report: Report) -> String {
        guard let warnings = report.check?.warnings, !warnings.isEmpty else { return "" }
        let items = warnings.map { "<li>\(HTML.escaped($0))</li>" }.joined()
        return """
            <aside class="warning"><b>The machine was not quiet: trust no single figure.</b>
            <ul>\(items)</ul></aside>
            """
    }

    private static func missing(_ report: Report) -> String {
        let missing = report.missing.map {
            "<li><b>\(HTML.escaped($0.name))</b>: \(HTML.escaped($0.remedy))</li>"
        }
        let failed = report.failures.map { "<li>\(HTML.escaped($0))</li>" }
        return aside("Rivals that did not take part:", missing)
            + aside("Contests and rivals that failed, and have no figures:", failed, "warning")
    }

    private static func aside(_ title: String, _ items: [String], _ kind: String = "") -> String {
        guard !items.isEmpty else { return "" }
        return "<aside class=\"\(kind)\"><b>\(title)</b><ul>\(items.joined())</ul></aside>\n"
    }

    private static func facts(_ report: Report) -> String {
        let machine = report.machine
        var facts = [
            ("Processor", "\(machine.processor), \(machine.cores) cores"),
            ("Memory", "\(machine.memoryGiB) GiB"),
            ("System", "\(machine.system), \(machine.architecture)"),
            ("Swift", report.versions.swift),
            ("libuv", report.versions.libuv),
            ("Swivel", "\(report.versions.swivel), commit \(report.commit)"),
            ("Run", report.date + (report.quick ? ", quick" : "")),
        ]
        facts += report.check.map(facts(of:)) ?? []
        let items = facts.map { "<dt>\(HTML.escaped($0.0))</dt><dd>\(HTML.escaped($0.1))</dd>" }
        return "<dl>\(items.joined())</dl>"
    }

    private static func instructions(_ check: MachineCheck) -> String {
        switch check.countsInstructions {
        case true: "counted"
        case false: "not counted: processor or kernel does not tell them"
        case nil: "not asked for"
        }
    }

    private static func facts(of check: MachineCheck) -> [(String, String)] {
        var others =
            "\(Figures.short(check.others)) % of the cores before the run, host "
            + "\(Figures.short(check.steal)) %"
        if let during = check.othersInRun, let steal = check.stealInRun {
            others += "; \(Figures.short(during)) % and \(Figures.short(steal)) % during it"
        }
        let neighbours = check.disturbed.map {
            [("Neighbours", "beside \(Figures.short($0)) % of the measurements, on the same core")]
        }
        return [
            ("Governor", check.governor ?? "not told"),
            ("Load", "\(Figures.short(check.load)) over the minute before"),
            ("Others", others),
            (
                "Waking",
                "a sleep of 1 ms ends \(Figures.value(check.wakeP50, unit: "ns")) late (p50), "
                    + "\(Figures.value(check.wakeP99, unit: "ns")) (p99)"
            ),
            ("Evenness", "one computation in ten is \(Figures.short(check.jitter)) % slower"),
            ("Instructions", instructions(check)),
        ] + (neighbours ?? [])
    }
}

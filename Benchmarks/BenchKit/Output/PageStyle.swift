// SPDX-License-Identifier: Apache-2.0

/// How the page looks, by day and by night.
enum PageStyle {
    static let css = """
        :root { color-scheme: light dark; --ink: #1c1e21; --soft: #62676e; --line: #d9dce1;
          --paper: #fdfdfc; --win: #2f7d6b; --loss: #b4533c; --must: #1c1e21; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e7e8ea; --soft: #9aa0a8; --line: #3a3e45; --paper: #17191c;
            --win: #4fae97; --loss: #d97b62; --must: #e7e8ea; } }
        body { margin: 2.5rem auto; max-width: 56rem; padding: 0 1.2rem; color: var(--ink);
          background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.7rem; margin-bottom: .3rem; }
        h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
        p { color: var(--soft); max-width: 44rem; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
        dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
        svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
        svg .label { text-anchor: end; fill: var(--ink); }
        svg .figure { fill: var(--ink); font-weight: 600; }
        svg .tick { text-anchor: middle; fill: var(--soft); font-size: 10px; }
        svg .grid { stroke: var(--line); } svg .one { stroke: var(--soft); }
        svg .win { fill: var(--win); } svg .loss { fill: var(--loss); }
        svg .must { stroke: var(--must); stroke-width: 2; stroke-dasharray: 3 2; }
        details { color: var(--soft); font-size: .85rem; }
        summary { cursor: pointer; } .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .15rem .8rem .15rem 0; white-space: nowrap;
          border-bottom: 1px solid var(--line); }
        """
}

// SPDX-License-Identifier: Apache-2.0

/// How the page looks, by day and by night, on a desk, on a phone and on paper. The colours of the
/// lines are Okabe and Ito's, which people who see few colours can tell apart.
enum PageStyle {
    /// Colours of rivals: `--s1` and so on.
    static let colors = 8

    static let css = """
        :root { color-scheme: light dark; --ink: #1c1e21; --soft: #5c6168; --line: #d9dce1;
          --paper: #fdfdfc; --card: #f3f4f2; --win: #27705f; --loss: #a94a34; --warn: #8a6100;
          --s0: #1c1e21; --s1: #0072b2; --s2: #d55e00; --s3: #009e73; --s4: #cc79a7;
          --s5: #b58900; --s6: #56b4e9; --s7: #7a5fb0; --s8: #8a8f96; }
        @media screen and (prefers-color-scheme: dark) {
          :root { --ink: #e7e8ea; --soft: #a0a6ae; --line: #3a3e45; --paper: #17191c;
            --card: #202327; --win: #4fae97; --loss: #e08468; --warn: #e0b050;
            --s0: #ffffff; --s1: #56a8e0; --s2: #f08040; --s3: #30c090; --s4: #e0a0c4;
            --s5: #e0c040; --s6: #90d0ff; --s7: #b09ae0; --s8: #9aa0a8; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; color: var(--ink);
          background: var(--paper); font: 16px/1.5 system-ui, sans-serif;
          overflow-wrap: anywhere; }
        h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
        h2 { font-size: 1.35rem; margin: 2.6rem 0 .6rem; }
        h3 { font-size: 1.1rem; margin: 2.2rem 0 .2rem; }
        h4 { font-size: .9rem; margin: 1rem 0 .2rem; font-weight: 600; }
        p { color: var(--soft); max-width: 46rem; margin: .3rem 0; } a { color: inherit; }
        .verdict { color: var(--ink); font-size: 1.15rem; max-width: none; }
        ul { list-style: none; margin: 0; padding: 0; }
        .cards { display: grid; gap: .7rem; margin: 1.2rem 0;
          grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); }
        .cards li { background: var(--card); border-radius: .5rem; padding: .7rem .8rem;
          border-top: .25rem solid var(--win); }
        .cards .bad { border-color: var(--loss); }
        .cards b { display: block; line-height: 1.25; color: var(--win); font-size: .95rem; }
        .cards .bad b { color: var(--loss); } .cards strong { font-size: 1.6rem; }
        .cards span { font-size: .85rem; color: var(--soft); display: block; }
        aside { border-left: .25rem solid var(--line); padding: .4rem .9rem; margin: 1rem 0;
          font-size: .9rem; color: var(--soft); } .warning { border-color: var(--warn); }
        .warning b { color: var(--warn); }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
        dt { color: var(--soft); } dd { margin: 0; }
        .curves { display: grid; gap: 1.6rem; margin-top: 1rem;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
        figure { margin: 0; min-width: 0; } figcaption { font-size: .9rem; color: var(--soft); }
        figcaption b { color: var(--ink); } .failed { color: var(--warn); font-size: .85rem; }
        svg { width: 100%; height: auto; display: block; font-family: system-ui, sans-serif; }
        .tick { fill: var(--soft); } .grid { stroke: var(--line); }
        .line { fill: none; stroke: var(--c); stroke-width: 1.6; } .dot { fill: var(--c); }
        .line.s0 { stroke-width: 3; } .whisker { stroke: var(--c); opacity: .5; }
        .line.again { stroke-dasharray: 5 3; } .dot.again { fill: var(--paper); stroke: var(--c); }
        .legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .82rem; }
        .legend i { display: inline-block; width: 1.1rem; height: .25rem; margin-right: .35rem;
          vertical-align: middle; background: var(--c); }
        .legend .again { background:
          repeating-linear-gradient(90deg, var(--c) 0 5px, transparent 5px 8px); }
        .s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); }
        .s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
        .s6 { --c: var(--s6); } .s7 { --c: var(--s7); } .s8 { --c: var(--s8); }
        .losses { columns: 2 22rem; column-gap: 2rem; margin-top: 1rem; }
        .losses > li { break-inside: avoid; padding: .45rem 0; line-height: 1.4;
          border-top: 1px solid var(--line); }
        .losses b { color: var(--loss); } .losses p { max-width: none; margin: 0 0 .15rem; }
        .losses ul { font-size: .85rem; color: var(--ink); }
        .losses ul li { padding-left: .8rem; text-indent: -.8rem; }
        .bar { display: grid; grid-template-columns: 15rem 1fr 8rem; gap: 0 .8rem;
          align-items: center; font-size: .85rem; padding: .1rem 0; }
        .bar b { font-weight: 600; } .who { text-align: right; }
        .track { position: relative; height: 1rem; background:
          repeating-linear-gradient(90deg, var(--line) 0 1px, transparent 1px var(--step)),
          var(--card); }
        .track i { position: absolute; top: 0; height: 100%; }
        .track .win { background: var(--win); } .track .loss { background: var(--loss); }
        .win.beyond { clip-path: polygon(0 0, calc(100% - .6rem) 0, 100% 50%,
          calc(100% - .6rem) 100%, 0 100%); }
        .loss.beyond { clip-path: polygon(.6rem 0, 100% 0, 100% 100%, .6rem 100%, 0 50%); }
        .key { color: var(--soft); background: var(--paper); margin: .8rem 0 0; padding: .3rem 0;
          position: sticky; top: 0; z-index: 1; } h3 { scroll-margin-top: 2.5rem; }
        .ends { display: flex; justify-content: space-between; }
        .track .one { width: 1px; background: var(--soft); top: -.15rem; height: 1.3rem; }
        .track .whisk { top: 50%; height: 2px; margin-top: -1px; background: var(--ink); }
        .track .must { border-left: 2px dashed var(--ink); top: -.15rem; height: 1.3rem; }
        details { color: var(--soft); font-size: .85rem; margin: .4rem 0; }
        summary { cursor: pointer; } .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums;
          font-size: .8rem; line-height: 1.35; margin-bottom: .8rem; }
        caption { text-align: left; font-weight: 600; }
        th, td { text-align: left; vertical-align: top; padding: .15rem .5rem .15rem 0;
          overflow-wrap: break-word; border-bottom: 1px solid var(--line); }
        @media (max-width: 40rem) {
          .bar { grid-template-columns: 1fr 7.5rem; } .who { grid-column: 1 / 3; text-align: left; }
          .key .who { display: none; } .key .ends { font-size: .75rem; }
          .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); }
          .cards li { padding: .6rem .7rem; } .cards strong { font-size: 1.4rem; }
          .cards li:last-child:nth-child(odd) { grid-column: 1 / -1; }
          .scroll table { min-width: 64rem; } }
        @media print {
          :root { --ink: #000; --paper: #fff; --card: #eee; } body { max-width: none; padding: 0; }
          .cards { grid-template-columns: repeat(5, 1fr); } .key { position: static; }
          figure, .bar, tr, .cards li { break-inside: avoid; }
          h2, h3, h4 { break-after: avoid; } .scroll { overflow: visible; }
          details::details-content { content-visibility: visible; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
        """
}

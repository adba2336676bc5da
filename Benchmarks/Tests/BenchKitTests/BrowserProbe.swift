// SPDX-License-Identifier: Apache-2.0

/// The script that looks at a page in a frame, with everything in it unfolded, and finds text that
/// nobody can read: beyond its box or the window, on other text, or hardly darker than its ground.
enum BrowserProbe {
    /// Defines `look(view, width)`, which tells what it has found, the page's height before it was
    /// unfolded, and whether the page is dark.
    static let script = #"""
        const numbers = color => (color.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
        const light = color => numbers(color).slice(0, 3).map(part => part / 255)
          .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
          .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);

        function ground(box) {
          for (; box; box = box.parentElement) {
            const color = getComputedStyle(box).backgroundColor;
            if ((numbers(color)[3] ?? 1) > 0) return color;
          }
          return 'rgb(255, 255, 255)';
        }

        function contrast(box) {
          const style = getComputedStyle(box);
          const two = [box.closest('svg') ? style.fill : style.color, ground(box)].map(light);
          return (Math.max(...two) + 0.05) / (Math.min(...two) + 0.05);
        }

        // A table that is wider than a phone may be moved sideways there, and nowhere else.
        const moves = (box, width) => width < 600 && getComputedStyle(box).overflowX === 'auto';

        function boxes(view, width, tell) {
          for (const box of view.body.querySelectorAll('*')) {
            if (box.closest('svg') || !box.textContent.trim() || box.clientWidth === 0) continue;
            if (box.scrollWidth > box.clientWidth + 1 && !moves(box, width)) tell(box.tagName, box);
            if (box.scrollHeight > box.clientHeight + 1
                && getComputedStyle(box).overflowY === 'hidden') tell(box.tagName, box);
          }
          for (const text of view.querySelectorAll('svg text')) {
            const box = text.getBBox(), all = text.ownerSVGElement.viewBox.baseVal;
            if (box.x < 0 || box.y < 0 || box.x + box.width > all.width
                || box.y + box.height > all.height + 2) tell('text', text);
          }
        }

        // The lines of all texts, as far as they can be seen.
        function lines(view, width, tell) {
          const all = [], range = view.createRange();
          const walker = view.createTreeWalker(view.body, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const owner = node.parentElement;
            if (!node.data.trim() || owner.tagName === 'title') continue;
            range.selectNodeContents(node);
            const scroll = owner.closest('.scroll')?.getBoundingClientRect();
            const shown = [];
            for (const line of range.getClientRects()) {
              const right = Math.min(line.right, scroll ? scroll.right : Infinity);
              if (right - line.left < 1 || line.height < 1) continue;
              shown.push({node, left: line.left, right, top: line.top, bottom: line.bottom});
            }
            if (shown.some(line => line.left < 0 || line.right > width + 1)) tell('beyond', node);
            if (shown.length > 0 && contrast(owner) < 4.5) tell('faint', node);
            all.push(...shown);
          }
          return all.sort((one, other) => one.top - other.top);
        }

        function overlaps(lines, tell) {
          lines.forEach((one, index) => {
            for (let next = index + 1; next < lines.length; next += 1) {
              const other = lines[next];
              if (other.top > one.bottom - 3) break;
              const shared = Math.min(one.right, other.right) - Math.max(one.left, other.left);
              if (other.node !== one.node && shared > 1) tell('over ' + one.node.data, other.node);
            }
          });
        }

        function look(view, width) {
          const found = [];
          const tell = (kind, node) => found.push(
            (kind + ': ' + node.textContent).replace(/\s+/g, ' ').slice(0, 90));
          const height = view.documentElement.scrollHeight;
          for (const closed of view.querySelectorAll('details')) closed.open = true;
          const wide = view.documentElement.scrollWidth;
          if (wide > width) found.push('page is ' + wide + ' wide');
          boxes(view, width, tell);
          overlaps(lines(view, width, tell), tell);
          const isDark = light(getComputedStyle(view.body).backgroundColor) < 0.2;
          return {found, isDark, height};
        }
        """#
}

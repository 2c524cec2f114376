// The page's colours for canvases, which know nothing of style sheets.

const NAMES = [
  'paper',
  'ink',
  'soft',
  'faint',
  'line',
  'grid',
  'accent',
  'accent-wash',
  'warning',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
] as const;

export type ColourName = (typeof NAMES)[number];
export type Palette = Record<ColourName, string> & { font: string };

let known: Palette | null = null;
const listeners = new Set<() => void>();
let stop: (() => void) | null = null;

/** The colours as they are now. */
export function palette(): Palette {
  known ??= read();
  // Without listeners nobody would say when it is out of date.
  const now = known;
  if (listeners.size === 0) known = null;
  return now;
}

/** Calls back whenever the colours have changed, until the answer is called. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  stop ??= watch();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = null;
    known = null;
  };
}

function watch(): () => void {
  const changed = () => {
    known = null;
    for (const listener of [...listeners]) listener();
  };
  const preference = matchMedia('(prefers-color-scheme: dark)');
  preference.addEventListener('change', changed);
  const root = new MutationObserver(changed);
  root.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  return () => {
    preference.removeEventListener('change', changed);
    root.disconnect();
  };
}

/** A variable's text may still ask which scheme it is: only a computed colour is one. */
function read(): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colours = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  ) as Record<ColourName, string>;
  const font = style.fontFamily;
  probe.remove();
  return { ...colours, font };
}

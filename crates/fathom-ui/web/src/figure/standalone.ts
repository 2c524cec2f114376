// A chart of the page as a file of its own: its looks come along, as light as paper.

/** What can be seen of a shape, as attributes of SVG. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-opacity',
  'stroke-width',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'visibility',
] as const;

/** Only for a pointer. */
const PASSING = '.hair, .halo';

export function standalone(chart: SVGSVGElement, title: string, says: string): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll('*');
  const root = document.documentElement;
  const before = root.style.colorScheme;
  root.style.colorScheme = 'light';
  try {
    chart.querySelectorAll('*').forEach((shape, place) => {
      const made = copies[place];
      if (!made) return;
      const [looks, around] = [getComputedStyle(shape), shape.parentElement && getComputedStyle(shape.parentElement)];
      for (const look of LOOKS) {
        const seen = looks.getPropertyValue(look);
        // What a shape has from those around it is said there. Opacity is no one else's.
        const usual = look === 'opacity' ? '1' : shape.parentNode === chart ? null : around?.getPropertyValue(look);
        if (seen !== usual) made.setAttribute(look, seen);
      }
    });
  } finally {
    root.style.colorScheme = before;
  }
  for (const one of copies) {
    one.removeAttribute('class');
    one.removeAttribute('style');
  }
  chart.querySelectorAll('*').forEach((shape, place) => {
    if (shape.matches(PASSING)) copies[place]?.remove();
  });
  for (const name of ['class', 'style', 'aria-label']) copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const paper = element('rect', '', { width: '100%', height: '100%', fill: '#fff' });
  copy.prepend(element('title', title), element('desc', says), paper);
  return new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gsu, '') + '\n';
}

function element(name: string, text: string, attributes: Record<string, string> = {}): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

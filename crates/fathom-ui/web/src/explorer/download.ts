// Files that the page makes.

/** Hands a file to the browser, which keeps it where the reader's downloads go. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function text(content: string, type: string): Blob {
  return new Blob([content], { type: `${type};charset=utf-8` });
}

/** A file's name of a metric's: what file systems refuse is replaced. */
export function fileName(...parts: string[]): string {
  const safe = parts.map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+|[._]+$/g, ''));
  return safe
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 120);
}

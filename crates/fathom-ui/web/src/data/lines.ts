// A stream of JSON, one value per line, as it arrives.

/** Hands over each line's value; a line may come in pieces, and the last needs no line break. */
export async function readLines(body: ReadableStream<Uint8Array>, on: (value: unknown) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  const take = (line: string) => {
    if (line.trim() !== '') on(parsed(line));
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      // Only what is new can have ended a line, but lines are few: all of the rest is looked at.
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(take);
      if (done) break;
    }
    take(rest);
  } finally {
    // Whoever throws while listening wants no more of it.
    await reader.cancel().catch(() => undefined);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    const start = line.length > 60 ? `${line.slice(0, 60)}…` : line;
    throw new Error(`The answer was cut off or is not JSON: “${start}”. Try again.`);
  }
}

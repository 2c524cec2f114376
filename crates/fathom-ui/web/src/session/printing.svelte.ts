// Paper has a width of its own, which no observer reports before the page is printed.

/** Pixels between the margins of A4, less what the columns leave between them. */
export const PAPER = { whole: 690, half: 336 } as const;

export const printing = $state({ on: false });

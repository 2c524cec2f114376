// Light, dark, or as the system.

export type Theme = 'system' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const KEPT_AS = 'fathom-theme';

class ThemeSwitch {
  current = $state<Theme>('system');

  /** As it was left. */
  restore(): void {
    const kept = THEMES.find((one) => one === keptText());
    if (kept) this.set(kept);
  }

  set(theme: Theme): void {
    this.current = theme;
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEPT_AS, theme);
    } catch {
      // Pages from files may keep nothing; the theme then lasts as long as the page.
    }
  }

  next(): void {
    this.set(THEMES[(THEMES.indexOf(this.current) + 1) % THEMES.length] ?? 'system');
  }
}

function keptText(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

export const theme = new ThemeSwitch();

import { effect, signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const STORED = 'realmkeep-theme';

const stored = localStorage.getItem(STORED);
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') {
    delete dataset.theme;
    localStorage.removeItem(STORED);
  } else {
    dataset.theme = theme.value;
    localStorage.setItem(STORED, theme.value);
  }
});

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export const switchTheme = (): void => {
  theme.value = NEXT[theme.value];
};

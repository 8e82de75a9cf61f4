import { effect, signal } from '@preact/signals';

/** A list that is asked for again, by what its address says. */
export interface SavedView {
  name: string;
  query: Record<string, string>;
}

const STORED = 'realmkeep-views';
const MOST_VIEWS = 20;

function stored(): Record<string, SavedView[]> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}');
  } catch {
    return {};
  }
}

/** By realm; kept in this browser. */
export const savedViews = signal(stored());

effect(() => localStorage.setItem(STORED, JSON.stringify(savedViews.value)));

/** In place of one of the same name; without a query it is removed. */
export function saveView(realm: string, name: string, query: SavedView['query'] | null): void {
  const others = (savedViews.value[realm] ?? []).filter((view) => view.name !== name);
  const views = query ? [...others, { name, query }].slice(-MOST_VIEWS) : others;
  savedViews.value = { ...savedViews.value, [realm]: views };
}

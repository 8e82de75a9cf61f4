import { signal } from '@preact/signals';

/** A list that is asked for again, by the search and the filters of its address. */
export interface SavedView {
  name: string;
  query: Record<string, string>;
}

const MOST_VIEWS = 20;

const keyOf = (realm: string): string => `realmkeep-views-${realm}`;

function stored(realm: string): SavedView[] {
  try {
    const views = JSON.parse(localStorage.getItem(keyOf(realm)) ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (view: unknown): view is SavedView =>
  typeof view === 'object' &&
  view !== null &&
  typeof (view as SavedView).name === 'string' &&
  typeof (view as SavedView).query === 'object';

const views = signal<Record<string, SavedView[]>>({});

/** The views of a realm that were saved in this browser. */
export const savedViews = (realm: string): readonly SavedView[] =>
  views.value[realm] ?? stored(realm);

function keep(realm: string, next: SavedView[]): void {
  views.value = { ...views.value, [realm]: next };
  localStorage.setItem(keyOf(realm), JSON.stringify(next));
}

/** In place of one of the same name. */
export const saveView = (realm: string, view: SavedView): void =>
  keep(
    realm,
    [...savedViews(realm).filter(({ name }) => name !== view.name), view].slice(-MOST_VIEWS),
  );

export const forgetView = (realm: string, name: string): void =>
  keep(
    realm,
    savedViews(realm).filter((view) => view.name !== name),
  );

/** Where each entry of the browser's history was scrolled to, by its id. */
const places = new Map<string, number>();
const MAX_PLACES = 200;

/** The rows of the lists that were shown last, by what was asked for. */
const lists = new Map<string, unknown>();
const MAX_LISTS = 20;

/** An entry has an id in its state once something of it is kept. */
const entryId = (): string => (history.state as { entry?: string } | null)?.entry ?? '';

let lastId = 0;

function namedEntry(): string {
  if (entryId() === '') {
    lastId += 1;
    // Entries survive a reload, after which the numbers begin anew.
    history.replaceState({ entry: `${performance.timeOrigin} ${lastId}` }, '');
  }
  return entryId();
}

export const keepPlace = (top: number): void => keep(places, namedEntry(), top, MAX_PLACES);

/** Where one was in the present entry; `undefined` unless it is returned to. */
export const keptPlace = (): number | undefined => places.get(entryId());

export function keepList(key: string, list: unknown): void {
  keepPlace(keptPlace() ?? scrollY);
  keep(lists, key, list, MAX_LISTS);
}

/** What a list had; `undefined` unless its entry is returned to: a link shows it anew. */
export const keptList = <List>(key: string): List | undefined =>
  keptPlace() === undefined ? undefined : (lists.get(key) as List | undefined);

/** The same, however it is come by: for as long as the service does not answer. */
export const lastList = <List>(key: string): List | undefined => lists.get(key) as List | undefined;

export const forgetLists = (): void => lists.clear();

/** After signing out nothing of the former session stays in memory. */
export function forgetHistory(): void {
  places.clear();
  forgetLists();
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

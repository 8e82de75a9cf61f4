import { useLocation } from 'preact-iso';

/** The filters of a view are in its address, so that it can be shared and survives a reload. */
export function useQuery(): {
  query: Record<string, string>;
  search: string;
  /** The address of the list behind a panel: without what only the panel has. */
  listSearch: string;
  set: (changes: Record<string, string>) => void;
} {
  const { path, query, route } = useLocation();
  const set = (changes: Record<string, string>): void => {
    const next = { ...query, ...changes };
    route(path + searchOf(next), true);
  };
  const { tab: _tab, type: _type, from: _from, to: _to, ...ofList } = query;
  return { query, search: searchOf(query), listSearch: searchOf(ofList), set };
}

function searchOf(query: Record<string, string>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

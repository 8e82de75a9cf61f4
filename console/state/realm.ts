import type { Kind, Realm, RealmHandle } from '@realmkeep/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { may } from './session.ts';

/** The realm that the views inside the frame are about. */
export interface OpenRealm {
  api: RealmHandle;
  realm: Realm;
  kinds: Kind[];
  /** The kind that calls mean which name none. */
  defaultKind: Kind;
  reload: () => void;
}

export const RealmContext = createContext<OpenRealm | null>(null);

export function useRealm(): OpenRealm {
  const open = useContext(RealmContext);
  if (!open) throw new Error('a view of a realm is shown outside of its frame');
  return open;
}

/** Whether the service would allow a change: an archived realm takes none. */
export const mayChange = (realm: Realm, scope: Parameters<typeof may>[0] = 'write'): boolean =>
  realm.archivedAt === null && may(scope);

export const kindOf = (kinds: Kind[], id: string): Kind =>
  kinds.find((kind) => kind.id === id) ?? {
    id,
    name: id,
    symbol: null,
    isDefault: false,
    isTransferable: true,
    minimumBalance: 0,
    maximumBalance: Number.MAX_SAFE_INTEGER,
    archived: false,
  };

import type { Member } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { findMembers } from '../api/find-members.ts';
import { useRealm } from '../state/realm.ts';

const SHOWN = 5;
const PAUSE_MS = 80;

interface Found {
  /** The first few that match; until the answer is there, those of what was typed before. */
  members: Member[];
  /** Whether they are the answer to what is typed now. */
  isCurrent: boolean;
}

/** Members that match, as one types; without the one that is not meant. */
export function useFound(typed: string, except = ''): Found {
  const { api } = useRealm();
  const text = typed.trim();
  const [found, setFound] = useState<{ text: string; members: Member[] }>({
    text: '',
    members: [],
  });
  useEffect(() => {
    if (text === '') {
      setFound({ text, members: [] });
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findMembers(api, text, { limit: SHOWN + 1, signal: abort.signal }).then(
        ({ items }) => {
          const others = items.filter(({ id }) => id !== except);
          setFound({ text, members: others.slice(0, SHOWN) });
        },
        () => {
          // The next letter tries again.
          if (!abort.signal.aborted) setFound({ text, members: [] });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, api, except]);
  return { members: found.members, isCurrent: found.text === text };
}

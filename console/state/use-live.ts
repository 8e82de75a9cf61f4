import type { RealmHandle } from '@realmkeep/client';
import { useEffect } from 'preact/hooks';
import { follow, forgetEvents } from './live.ts';

/**
 * Follows the realm while the page is seen. Over HTTP/1.1 a browser has six connections to a
 * service, and hidden tabs would keep one each.
 */
export function useLive(realm: RealmHandle): void {
  useEffect(() => {
    let leave = (): void => {};
    const look = (): void => {
      leave();
      leave = document.hidden ? () => {} : follow(realm);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      leave();
      forgetEvents();
    };
  }, [realm]);
}

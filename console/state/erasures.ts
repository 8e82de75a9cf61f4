import { signal } from '@preact/signals';
import type { RealmHandle } from '@realmkeep/client';
import { forgetAnswers } from './answers.ts';
import { forgetLists } from './history.ts';
import { reloadEvents, useArrivals } from './live.ts';

/** Counts the erasures while one looks: what was loaded before may still say what was erased. */
export const erasures = signal(0);

/** Nothing that was erased stays in sight, or in memory. */
export const useErasures = (realm: RealmHandle): void =>
  useArrivals(
    ({ type }) => type === 'member.erased',
    () => {
      forgetAnswers();
      forgetLists();
      const count = (): void => {
        erasures.value += 1;
      };
      reloadEvents(realm).then(count, count);
    },
  );

import type { RealmHandle } from '@realmkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../../api/faults.ts';
import type { NewMember } from '../../text/import.ts';

interface Enrolment {
  line: number;
  member: NewMember;
}

export interface ImportState {
  total: number;
  done: number;
  enrolled: number;
  /** Why a line was refused, by its number. */
  refused: Map<number, string>;
  isOver: boolean;
  /** What stopped it before its end. */
  error: Error | null;
}

/** Large enough to be quick, small enough to show progress. */
const BATCH = 500;

/** Enrols in batches. A batch whose answer is lost is sent again by the client, with its key. */
export function useImport(api: RealmHandle) {
  const [state, setState] = useState<ImportState | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const start = (enrolments: Enrolment[]): void => {
    abort.current = new AbortController();
    void run(api, enrolments, abort.current.signal, setState);
  };
  return { state, start, stop: () => abort.current.abort() };
}

async function run(
  api: RealmHandle,
  enrolments: Enrolment[],
  signal: AbortSignal,
  show: (state: ImportState) => void,
): Promise<void> {
  const state: ImportState = {
    total: enrolments.length,
    done: 0,
    enrolled: 0,
    refused: new Map(),
    isOver: false,
    error: null,
  };
  show({ ...state });
  try {
    while (state.done < enrolments.length && !signal.aborted) {
      const batch = enrolments.slice(state.done, state.done + BATCH);
      await enrol(api, batch, state);
      state.done += batch.length;
      show({ ...state });
    }
  } catch (error) {
    state.error = error as Error;
  }
  show({ ...state, isOver: true });
}

async function enrol(api: RealmHandle, batch: Enrolment[], state: ImportState): Promise<void> {
  const members = batch.map(({ member }) => member);
  const { results } = await api.createMembers(members, { atomic: false });
  for (const [index, { problem }] of results.entries()) {
    const line = batch[index]?.line ?? 0;
    if (problem) state.refused.set(line, sentenceOf(new Error(problem.detail)));
    else state.enrolled += 1;
  }
}

import { useAnswer } from '../state/answers.ts';

export type Later = typeof import('./later.ts');

/** Asks for that part before anybody goes there; if it fails, whoever goes there asks again. */
export const useLater = () => useAnswer('later', (): Promise<Later> => import('./later.ts'));

/** Work that can be interrupted between its steps, each of which takes well below a millisecond. */
export type Steps<T> = Generator<void, T>;

const ITEMS_PER_STEP = 50;

/** Whether a loop over many items may be interrupted before this one. */
export const isStep = (index: number): boolean => index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1;

/** Does all of the work at once. */
export function finish<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

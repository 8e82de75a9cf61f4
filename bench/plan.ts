/** How long everything takes. */
export interface Plan {
  rounds: number;
  seconds: number;
  /** Once for each case, before the first round: V8 takes seconds until the code is at its best. */
  firstWarmUp: number;
  /** Before each measurement; 0 leaves it out. */
  warmUp: number;
  /** Batches of entries in a round. */
  batches: number;
  /** For each size of groups in a round of the engine alone. */
  engineSeconds: number;
}

/** The default run is to stay below a quarter of an hour. */
export const PLAN: Plan = {
  rounds: 3,
  seconds: 3,
  firstWarmUp: 20,
  warmUp: 1,
  batches: 10,
  engineSeconds: 1,
};

export const QUICK: Plan = {
  rounds: 1,
  seconds: 1,
  firstWarmUp: 1,
  warmUp: 0,
  batches: 4,
  engineSeconds: 0.5,
};

/** The duration of each part. */
export interface Plan {
  rounds: number;
  seconds: number;
  /** Once for each case, before the first round: V8 takes seconds to optimise the code. */
  firstWarmUp: number;
  /** Before each measurement; 0 skips it. */
  warmUp: number;
  /** Batches of entries in a round. */
  batches: number;
  /** Members of each import. */
  imported: number;
  /** Of a steady load beside streams, and before it without them. */
  streamSeconds: number;
  /** For each group size in a round of the engine. */
  engineSeconds: number;
}

/** The default run takes about twenty-five minutes on two cores. */
export const PLAN: Plan = {
  rounds: 3,
  seconds: 3,
  firstWarmUp: 20,
  warmUp: 1,
  batches: 100,
  imported: 200_000,
  streamSeconds: 20,
  engineSeconds: 1,
};

export const QUICK: Plan = {
  rounds: 1,
  seconds: 1,
  firstWarmUp: 1,
  warmUp: 0,
  batches: 40,
  imported: 20_000,
  streamSeconds: 2,
  engineSeconds: 0.5,
};

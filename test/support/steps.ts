import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

// Optimised code inlines functions, and does not count their calls.
setFlagsFromString('--no-opt');
setFlagsFromString('--no-maglev');

// From the start, because only functions that are compiled from now on count their blocks.
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * Counts how often V8 enters a function or a block of `src/` during some work. Unlike a time it is
 * the same in every run, and a loop over too many rows shows in it.
 */
export async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const { url, functions } of result) {
    if (!url.includes('/src/')) continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}

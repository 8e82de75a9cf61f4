import type { Cases, Given } from './checks.ts';
import { failureCases } from './failures.ts';
import { operationCases } from './operations.ts';
import { partCases } from './parts.ts';
import { retryCases } from './retries.ts';
import { streamCases } from './streams.ts';
import { webhookCases } from './webhooks.ts';

/** All tests of the client that need nothing but a service. */
export const cases: Cases = {
  ...operationCases,
  ...failureCases,
  ...partCases,
  ...retryCases,
  ...streamCases,
  ...webhookCases,
};

/** Runs them all; the result is what failed, by name. */
export async function failuresOf(given: Given): Promise<Record<string, string>> {
  const failed: Record<string, string> = {};
  for (const [name, run] of Object.entries(cases)) {
    await run(given).catch((error) => {
      failed[name] = `${error?.stack ?? error}`;
    });
  }
  return failed;
}

/** Without a pause, to ask would take a core from whoever works towards the answer. */
const PAUSE_MS = 10;

/** Asks again until the answer is the expected one; the test's timeout is the limit. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isExpected: (answer: T) => boolean,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isExpected(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

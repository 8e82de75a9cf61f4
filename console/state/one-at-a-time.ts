/**
 * Runs it now or, if it is running, once more after that: news that come faster than answers
 * neither pile up nor keep an answer from ever arriving. `run` must not reject.
 */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await run();
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void start();
  };
}

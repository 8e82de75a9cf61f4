/** Faults quote the request; a huge key must not make a huge answer. */
const MAX_POINTER_KEY = 100;

/** An array or object on the way to a value. */
interface Step {
  readonly isObject: boolean;
  readonly key: string | null;
  readonly index: number;
}

/** Points to the value or key that is being read. A key that is too long to show ends it. */
export function pointerOf(steps: readonly Step[]): string {
  let pointer = '';
  for (const { isObject, key, index } of steps) {
    if (isObject && key === null) break;
    const segment = String(isObject ? key : index)
      .replaceAll('~', '~0')
      .replaceAll('/', '~1');
    if (segment.length > MAX_POINTER_KEY) break;
    pointer += `/${segment}`;
  }
  return pointer;
}

/** What precedes the name of a field, whichever entry of a list it is in, such as `entries.`. */
export const fieldPath = (steps: readonly Step[]): string =>
  steps.map(({ isObject, key }) => (isObject ? `${key}.` : '')).join('');

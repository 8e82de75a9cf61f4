import type { Shape } from './body-shape.ts';

export const IGNORED_HEADER = 'x-realmkeep-ignored';

/** Enough to find a mistake, whatever the body is. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;
const MAX_HEADER_LENGTH = 1_000;

/** Whatever could end a name or a header, and everything but visible ASCII. */
const UNSAFE = /[^\x21-\x24\x26-\x2b\x2d-\x7e]/gu;

/** The fields of a body that its schema does not have, each by its path such as `entries.tokns`. */
export class IgnoredFields {
  #names: string[] | null = null;
  /** The names that were found so far, by what they were found in. */
  #known: Map<Shape, Set<string>> | null = null;

  /** Looks for them in a body that was built as a whole. Free-form values are not looked into. */
  addFrom(value: unknown, shape: Shape, path = ''): void {
    if (typeof value !== 'object' || value === null) return;
    const { fields, items } = shape;
    if (Array.isArray(value)) {
      if (items?.fields) for (const item of value) this.addFrom(item, items, path);
    } else if (fields) {
      for (const key of Object.keys(value)) {
        const field = fields.get(key);
        if (field === undefined) {
          if (this.isNew(shape, key)) this.add(path, key);
        } else if (field.fields || field.items) {
          this.addFrom((value as Record<string, unknown>)[key], field, `${path}${key}.`);
        }
      }
    }
  }

  /** Whether an unknown field is to be added: the entries of a list often have the same ones. */
  isNew(shape: Shape, key: string): boolean {
    if (this.#names !== null && this.#names.length > MAX_NAMES) return false;
    this.#known ??= new Map();
    const keys = this.#known.get(shape) ?? new Set();
    if (keys.has(key)) return false;
    this.#known.set(shape, keys.add(key));
    return true;
  }

  add(path: string, key: string): void {
    this.#names ??= [];
    this.#names.push(`${path}${shown(key)}`);
  }

  /** The names separated by commas, and `...` if there are more; null if there are none. */
  get header(): string | null {
    if (this.#names === null) return null;
    let text = '';
    for (const [index, name] of this.#names.entries()) {
      const isTooMuch = index === MAX_NAMES || text.length + name.length > MAX_HEADER_LENGTH;
      text += `${index === 0 ? '' : ','}${isTooMuch ? '...' : name}`;
      if (isTooMuch) break;
    }
    return text;
  }
}

/** Percent-encoded where a header could not carry it. */
function shown(key: string): string {
  if (key === '') return '""';
  const start = key.length > MAX_NAME_LENGTH ? `${key.slice(0, MAX_NAME_LENGTH)}...` : key;
  return start.toWellFormed().replace(UNSAFE, encodeURIComponent);
}

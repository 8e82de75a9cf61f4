import type { TSchema } from 'typebox';

/**
 * Which parts of a value are built. Every part is checked, but what nothing looks at is only
 * skipped: 4 MiB of nested arrays are 370 MB of objects.
 */
export interface Shape {
  /** The fields of an object that are built; null if a list or a plain value is expected. */
  readonly fields: ReadonlyMap<string, Shape> | null;
  /** Of the entries of a list; null if an object or a plain value is expected. */
  readonly items: Shape | null;
  /** Whether everything inside is built, whatever it is. */
  readonly isFreeForm: boolean;
  /** The most entries of a list, or values in a free-form one; a few more are built, not all. */
  readonly most: number;
}

/** The keywords that decide what the check of a value looks at. */
interface Keywords {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  maxItems?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  exact?: { maxBytes: number };
  memberId?: true;
}

/** Enough to tell the entries of any list of distinct ones apart. */
const MAX_DISTINCT_VALUES = 8192;

/** A plain value; an array or object in its place is left empty. */
const PLAIN: Shape = { fields: null, items: null, isFreeForm: false, most: 0 };

/** An object of which nothing is known. */
export const NO_FIELDS: Shape = { ...PLAIN, fields: new Map() };

/**
 * Which parts of a body the check of its schema and the handler can look at: the known fields of
 * objects and the entries of lists. Whatever is left out has no effect on the faults found.
 */
export function shapeOf(schema: TSchema): Shape {
  const { properties, items, maxItems, maxProperties, uniqueItems, exact } = schema as Keywords;
  const most = maxItems ?? Number.POSITIVE_INFINITY;
  if (properties) {
    const shapes = Object.entries(properties).map(
      ([name, field]) => [name, shapeOf(field)] as const,
    );
    return { ...PLAIN, fields: new Map(shapes) };
  }
  if (uniqueItems) return freeForm(MAX_DISTINCT_VALUES);
  if (items) return { ...PLAIN, items: shapeOf(items), most };
  // A map of plain values: one more than the most shows that there are too many.
  if (maxProperties !== undefined) return freeForm(maxProperties + 1);
  // Every value takes a byte at least, so one more than these is too many.
  return isPlain(schema) ? PLAIN : freeForm(exact?.maxBytes ?? most);
}

const freeForm = (most: number): Shape => ({ ...PLAIN, isFreeForm: true, most });

function isPlain({ type, memberId }: Keywords): boolean {
  const types = [type ?? []].flat();
  return memberId === true || (types.length > 0 && !types.some(isContainer));
}

const isContainer = (type: string): boolean => type === 'object' || type === 'array';

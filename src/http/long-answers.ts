import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import type { Caller } from '../engine/ledger.ts';
import { slices } from '../engine/slices.ts';
import { serialiser } from './serialisers.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** As much of an answer as is serialised in one step, and as much as becomes one buffer. */
const [STEP_CHARS, PART_CHARS] = [4 * 1024, 64 * 1024];

type Item = Record<string, unknown>;

/** The list that may make an answer long. */
interface LongList {
  /** Of the whole answer. */
  schema: object;
  /** Null if the list is the whole answer. */
  name: string | null;
  item: object;
}

const NAMES = ['items', 'results', 'days'];

/** The list in the answers of an operation; null if they have none. */
export function longListOf(schema: TSchema | null): LongList | null {
  if (schema === null) return null;
  const { items, properties = {} } = schema as Described;
  if (items) return { schema, name: null, item: items };
  for (const name of NAMES) {
    const item = properties[name]?.items;
    if (item) return { schema, name, item };
  }
  return null;
}

interface Described {
  items?: object;
  properties?: Record<string, { items?: object }>;
}

/** Sends an answer whose list is serialised item by item, in slices if it is long. */
export async function sendList(
  reply: FastifyReply,
  { schema, name, item }: LongList,
  body: object,
  realm: string,
  caller: Caller,
): Promise<void> {
  const items = (name === null ? body : (body as Item)[name]) as Item[];
  const empty = name === null ? '[]' : serialiser(reply, schema)({ ...body, [name]: [] });
  const list = name === null ? '[]' : `"${name}":[]`;
  const at = empty.indexOf(list) + list.length - 1;
  const parts = partsOf(empty.slice(0, at), items, serialiser(reply, item), empty.slice(at));
  const sent = await slices.run(`answered ${realm}`, caller, parts);
  reply.type(JSON_TYPE).send(sent);
}

function* partsOf(
  head: string,
  items: readonly Item[],
  serialise: (item: Item) => string,
  tail: string,
): Generator<void, string | Buffer> {
  const parts: Buffer[] = [];
  let text = head;
  let done = 0;
  let separator = '';
  for (const item of items) {
    text += separator + serialise(item);
    separator = ',';
    if (text.length - done < STEP_CHARS) continue;
    if (text.length >= PART_CHARS) {
      parts.push(Buffer.from(text));
      text = '';
    }
    done = text.length;
    yield;
  }
  text += tail;
  if (parts.length === 0) return text;
  parts.push(Buffer.from(text));
  return Buffer.concat(parts);
}

import { readFileSync } from 'node:fs';
import { POINTS_TYPES } from '../../src/domain/movements.ts';
import { quoted, union } from './print.ts';

const NAMES = ['records', 'model', 'offer', 'person', 'webhook'];
const FILES = NAMES.map((name) => `../../src/domain/${name}.ts`);

/** A type at the top level of a file, with its comment. */
const DECLARATION =
  /^(?:\/\*\*(?:(?!\*\/).)*?\*\/\n)?(?:export )?(?:interface (\w+).*?^\}|type (\w+).*?;)$/gms;

const RENAMED: Record<string, string> = { Records: 'EventData', PointKind: 'Kind' };
const POINTS_TYPE = `type PointsType =${union(POINTS_TYPES.map(quoted), 99, 0)};`;
const ABOUT = `/**
 * What an event tells, by its type. Instants are RFC 3339, and \`tokens\` is positive: the type
 * gives the direction. Only those of an opening balance, and hence of its reversals, may be
 * negative.
 */`;

/**
 * The payload of each event: the declaration of the journal's records, and whatever it refers to,
 * as they stand in the source. `known` are the types that the client has from the schemas.
 */
export function eventTypes(known: ReadonlySet<string>): string {
  const declared = declarations();
  const printed = new Map<string, string>();
  const visit = (name: string): void => {
    const text = declared.get(name);
    if (text === undefined || printed.has(name) || known.has(name)) return;
    printed.set(name, text);
    for (const [word] of code(text).matchAll(/\b[A-Z]\w+\b/g)) visit(word);
  };
  visit('Records');
  return [...printed.values()].join('\n\n');
}

function declarations(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of FILES) {
    // A comment at the top is about the file, not about its first type.
    const source = readFileSync(new URL(file, import.meta.url), 'utf8').replace(/^\/\*\*/, '/*');
    for (const [text, one, other] of source.matchAll(DECLARATION)) {
      const name = one ?? other ?? '';
      found.set(name, translated(name, text));
    }
  }
  return found;
}

/** A declaration under the names of the client, which exports the payloads alone. */
function translated(name: string, text: string): string {
  if (name === 'PointsType') return POINTS_TYPE;
  if (name === 'Records') return `${ABOUT}\n${renamed(text.slice(text.indexOf('export ')))}`;
  return renamed(text).replace(/^export /m, '');
}

const renamed = (text: string): string =>
  text.replaceAll(/\b[A-Z]\w+\b/g, (word) => RENAMED[word] ?? word);

const code = (text: string): string =>
  text.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/'[^'\n]*'/g, '');

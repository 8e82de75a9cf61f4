import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventTypes } from '../../src/contract/event-types.ts';
import type { RecordType } from '../../src/domain/records.ts';
import { Cli } from './cli.ts';
import { journalOf } from './files.ts';
import { damages } from './journal-damage.ts';
import { writeHistory, writeProofs } from './journal-history.ts';
import { recordFields } from './record-fields.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/journal.md'), 'utf8');

async function journalLines(t: TestContext): Promise<{ cli: Cli; lines: string[] }> {
  const cli = new Cli(t);
  await writeHistory(cli);
  return { cli, lines: (await journalOf(cli)).slice(0, -1).split('\n') };
}

/** The rows of the table of types: what the type reports, and its fields, `?` for the optional. */
function documentedTypes(): Map<string, { summary: string; fields: Set<string> }> {
  const table = /^## The types\n(.*?)^## /ms.exec(page)?.[1] ?? '';
  const rows = Array.from(table.matchAll(/^\| `([a-z.]+)` \| (.+?) \| (.+) \|$/gm));
  return new Map(
    rows.map(([, type = '', summary = '', cell = '']) => {
      const names = cell.replaceAll(/ \([^)]*\)/g, '').matchAll(/`(\w+)`(\??)/g);
      return [
        type,
        { summary, fields: new Set(Array.from(names, ([, name = '', mark = '']) => name + mark)) },
      ];
    }),
  );
}

test('the page has every declared type, with what it reports and every field', () => {
  const declared = Object.entries(eventTypes).map(([type, { summary }]) => {
    const fields = Object.entries(recordFields[type as RecordType]);
    const names = fields.map(([name, isRequired]) => (isRequired ? name : `${name}?`));
    return [type, { summary, fields: new Set(names) }] as const;
  });
  assert.ok(declared.length > 0);
  assert.deepEqual(documentedTypes(), new Map(declared));
});

test('a journal has records of every declared type, with their fields and no others', async (t) => {
  const { cli, lines } = await journalLines(t);
  await writeProofs(cli);
  const { stdout } = await cli.run(['journal', 'export', 'proofs']);
  const records = [...lines, ...stdout.trimEnd().split('\n')].map((line) => JSON.parse(line));
  const types = new Set(records.map(({ type }) => type));
  // A deleted realm cannot be exported.
  assert.deepEqual(types.add('realm.deleted'), new Set(Object.keys(eventTypes)));
  const isErased = ({ personal, personalHash }: Record<string, unknown>) =>
    personalHash !== undefined && personal === undefined;
  assert.ok(records.some(isErased));
  for (const record of records) {
    const { type, data, personal = {} } = record;
    const declared = Object.entries(recordFields[type as RecordType]);
    const required = declared.filter(([, isRequired]) => isRequired).map(([name]) => name);
    const { salt: _, ...personalFields } = personal;
    const names = new Set(Object.keys({ ...data, ...personalFields }));
    const isWhole = names.isSupersetOf(new Set(required));
    assert.ok(isWhole || isErased(record), `${type} lacks a field`);
    assert.ok(names.isSubsetOf(new Set(declared.map(([name]) => name))), `${type} has a new field`);
  }
});

const python = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const skip = !python && 'python3 NOT FOUND: the checker of docs/journal.md did not run';

test('the checker of the page accepts an intact journal and rejects each damaged one', {
  skip,
}, async (t) => {
  const { cli, lines } = await journalLines(t);
  const checker = join(cli.folder, 'check.py');
  const file = join(cli.folder, 'acme.ndjson');
  const script = /^```python\n(.*?)^```$/ms.exec(page)?.[1];
  assert.ok(script, 'docs/journal.md has no Python block');
  writeFileSync(checker, script);
  const check = (changed: string[]) => {
    writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
    return spawnSync('python3', ['-I', checker, file], { encoding: 'utf8' });
  };
  const good = check(lines);
  const head = lines.at(-1)?.slice(-66, -2);
  assert.deepEqual([good.status, good.stderr], [0, '']);
  assert.equal(good.stdout.trimEnd(), `ok, 39 records, head ${head}`);
  for (const { name, change, line } of damages) {
    const { status, stderr } = check(change(lines));
    assert.equal(status, 1, name);
    assert.match(stderr, new RegExp(`^line ${line ?? '\\d+'}: .+\\n?$`), `${name}: ${stderr}`);
  }
});

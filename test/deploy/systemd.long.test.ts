import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../docs/pages.ts';
import { missing } from './reverse-proxy.ts';

const skip = missing('systemd-analyze', '--version');
const unit = readFileSync(join(ROOT, 'deploy/realmkeep.service'), 'utf8');

/** The unit as it is, and with the line that docs/deploying.md has replaced for a clone. */
const units = {
  'from the package': unit,
  'in a clone': unit.replace(/^ExecStart=.*\n# In a clone instead:\n# (?=ExecStart=)/m, ''),
};

/** In the place of what is installed in /opt, this clone: systemd-analyze looks for the program. */
function write(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-unit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'realmkeep.service');
  const program = join(ROOT, 'bin');
  const own = text.replace(/^ExecStart=\/opt\/realmkeep\/(?:.*\/)?bin/m, `ExecStart=${program}`);
  writeFileSync(path, own);
  return path;
}

function analyze(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

for (const [name, text] of Object.entries(units)) {
  test(`systemd accepts the unit ${name}, and finds its program`, { skip }, (t) => {
    const { status, said } = analyze('verify', '--man=no', write(t, text));
    // About other units of the machine it may say what it likes.
    const faults = said.split('\n').filter((line) => line.includes('realmkeep.service'));
    assert.deepEqual([status, faults], [0, []], said);
  });
}

test('it is exposed no more than docs/deploying.md says', { skip }, (t) => {
  const { said } = analyze('security', '--offline=true', '--no-pager', write(t, unit));
  const [, exposure] = /exposure level for realmkeep\.service: ([\d.]+)/.exec(said) ?? [];
  const page = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
  const [, stated] = /exposure\s+([\d.]+) of 10/.exec(page) ?? [];
  assert.ok(Number(exposure) <= Number(stated), said);
});

test('in a clone and from the package it starts one program, which is there', () => {
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const startedBy = (text: string) =>
    Array.from(text.matchAll(/^ExecStart=(.*)$/gm), ([, it]) => it);
  assert.deepEqual(Object.values(units).map(startedBy), [
    [`/opt/realmkeep/node_modules/realmkeep/${bin.realmkeep} serve`],
    [`/opt/realmkeep/${bin.realmkeep} serve`],
  ]);
});

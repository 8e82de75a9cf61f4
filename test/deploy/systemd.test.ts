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

/** Writes the unit with programs that are there, since systemd-analyze looks for them. */
function write(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-unit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'realmkeep.service');
  writeFileSync(path, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  return path;
}

function analyze(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

test('systemd accepts the unit', { skip }, (t) => {
  const { status, said } = analyze('verify', '--man=no', write(t, unit));
  // About other units of the machine it may say what it likes.
  const faults = said.split('\n').filter((line) => line.includes('realmkeep.service'));
  assert.deepEqual([status, faults], [0, []], said);
});

test('it is exposed no more than docs/deploying.md says', { skip }, (t) => {
  const { said } = analyze('security', '--offline=true', '--no-pager', write(t, unit));
  const [, exposure] = /exposure level for realmkeep\.service: ([\d.]+)/.exec(said) ?? [];
  const page = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
  const [, stated] = /exposure\s+([\d.]+) of 10/.exec(page) ?? [];
  assert.ok(Number(exposure) <= Number(stated), said);
});

test('in a clone and from the package it starts a file that is there', () => {
  const [, fromPackage] =
    /^ExecStart=\/opt\/realmkeep\/node_modules\/realmkeep\/(\S+) serve$/m.exec(unit) ?? [];
  const [, fromClone] = /^# ExecStart=\/opt\/realmkeep\/(\S+) serve$/m.exec(unit) ?? [];
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.deepEqual([fromPackage, fromClone], [bin.realmkeep, bin.realmkeep]);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sqliteFile } from '../support/database.ts';
import { TestService } from '../support/service.ts';
import { skipWithout, ThinDisk } from '../support/small-disk.ts';
import { Callers, outageLines, untilReadiness, upAndFull } from './full-disk.ts';

/** A write whose fsync fails is not acknowledged, and may be sent again with its key. */
const disk = ThinDisk.mount(24) as ThinDisk;
const options = { skip: skipWithout(disk?.below ?? null), timeout: 120_000 };
after(() => disk?.unmount());

test('an fsync that fails', options, async (t) => {
  const service = await TestService.start({}, {}, sqliteFile(disk.folder));
  t.after(() => service.stop());
  const realm = await service.realm('acme', { autoEnroll: true });
  const callers = new Callers(realm);
  disk.below.fill();
  await callers.creditUntilOutage();
  const codes = new Set(callers.refused.map(({ reply }) => reply.json.code));
  assert.ok(codes.has('outcome-unknown'), [...codes].join());
  for (const code of codes) assert.match(code, /^(outcome-unknown|storage-unavailable)$/);
  const { json } = await untilReadiness(service, 503);
  assert.match(json.checks.storage, /^The database accepts no changes: its disk fails/);
  assert.deepEqual(await upAndFull(service), ['0', '0']);
  await callers.auditBalances();
  disk.below.free();
  await untilReadiness(service, 200);
  await callers.retryRefused();
  await callers.audit();
  await service.restart();
  await callers.audit();
  const unknown = 'the outcome of a write is unknown';
  assert.deepEqual(
    outageLines(service).filter((line) => line !== unknown),
    [
      'database unavailable; requests that need it are answered with 503',
      'database available again',
    ],
  );
});

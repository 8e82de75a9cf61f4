import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Importer } from '../../src/cli/import/importer.ts';
import type { SourceRow } from '../../src/cli/import/source.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { STORAGE } from '../support/database.ts';
import { Cli } from './cli.ts';
import { acme, exported } from './files.ts';

const rowOf = (id: number): SourceRow => ({
  line: id + 1,
  body: { id: String(id), username: `user${id}`, balances: { points: id } },
  fault: null,
  refused: (reason) => assert.fail(reason),
});

/** In one process, so that each decides while the other has decided and not yet written. */
test('two imports that meet enrol each member once', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const ids = Array.from({ length: 4_000 }, (_, index) => index + 1);
  const ledgers: Ledger[] = [];
  for (const _ of [1, 2]) ledgers.push(await cli.database.ledger());
  const counts = await Promise.all(
    ledgers.map(async (ledger, index) => {
      const importer = new Importer(ledger, {
        by: { realmId: 'acme', actor: 'cli', idempotency: null },
        description: null,
        ifPresent: 'skip',
        again: false,
        isDryRun: false,
        parseAddress: (text) => assert.fail(text),
        source: { used: new Map(), inWords: (detail) => detail },
        defaultKind: 'points',
        onRefused: (_row, reason) => assert.fail(reason),
        onSettled: () => undefined,
      });
      await importer.add((index === 0 ? ids : ids.toReversed()).map(rowOf));
      await importer.finish();
      await ledger.close();
      return importer.counts;
    }),
  );
  t.diagnostic(`they enrolled ${counts.map(({ enrolled }) => enrolled).join(' and ')}`);
  for (const { enrolled, present } of counts) {
    // On a server, one may get the lock of the realm again and again.
    if (STORAGE === 'sqlite') assert.ok(enrolled > 0, 'both enrol some');
    assert.equal(enrolled + present, ids.length);
  }
  assert.equal(
    counts.reduce((sum, { enrolled }) => sum + enrolled, 0),
    ids.length,
  );
  const balances = (await exported(cli, 'balances')).trim().split('\n').slice(1);
  assert.deepEqual(
    balances.map((line) => line.split(',').slice(0, 3).join(',')),
    ids.map((id) => `${id},points,${id}`),
  );
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok/);
});

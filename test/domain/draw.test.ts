import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Tickets } from '../../src/domain/offer.ts';
import { TicketList } from '../../src/domain/rules/draw.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The published procedure, as plainly as somebody would write it who repeats a draw. */
function repeated(claims: Tickets[], count: number, seed: string) {
  const listHash = sha256(
    claims.map(({ id, memberId, quantity }) => `${id} ${memberId} ${quantity}\n`).join(''),
  );
  let left = claims;
  const winners: { memberId: string; claimId: number }[] = [];
  for (let counter = 0; winners.length < count && left.length > 0; counter += 1) {
    const tickets = left.flatMap((one) => Array<Tickets>(one.quantity).fill(one));
    const x = BigInt(`0x${sha256(`${listHash} ${seed} ${counter}`).slice(0, 16)}`);
    const total = BigInt(tickets.length);
    if (x >= 2n ** 64n - (2n ** 64n % total)) continue;
    const { id: claimId, memberId } = tickets[Number(x % total)] as Tickets;
    winners.push({ memberId, claimId });
    left = left.filter((one) => one.memberId !== memberId);
  }
  return { winners, listHash };
}

function drawn(claims: Tickets[], count: number, seed: string, pageSize: number) {
  const list = new TicketList();
  for (let at = 0; at < claims.length; at += pageSize) list.add(claims.slice(at, at + pageSize));
  return list.draw(count, seed);
}

const claims = fc
  .array(
    fc.record({
      memberId: fc.integer({ min: 1, max: 6 }),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
    {
      maxLength: 30,
    },
  )
  .map((all) =>
    all.map(({ memberId, quantity }, index) => ({
      id: 3 * index + 7,
      memberId: String(memberId),
      quantity,
    })),
  );

test('a draw is what the published procedure draws, whatever the pages are', () => {
  fc.assert(
    fc.property(
      claims,
      fc.nat(8),
      fc.string(),
      fc.integer({ min: 1, max: 9 }),
      (all, n, seed, size) => {
        const { winners, listHash, tickets } = drawn(all, n, seed, size);
        assert.deepEqual({ winners, listHash }, repeated(all, n, seed));
        assert.equal(
          tickets,
          all.reduce((sum, one) => sum + one.quantity, 0),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('every ticket wins as often as any other', () => {
  const list = [1, 2, 3].map((quantity) => ({ id: quantity, memberId: `${quantity}`, quantity }));
  const wins = [0, 0, 0, 0];
  for (let seed = 0; seed < 6_000; seed += 1) {
    const [winner] = drawn(list, 1, `${seed}`, 9).winners;
    wins[winner?.claimId ?? 0] = (wins[winner?.claimId ?? 0] ?? 0) + 1;
  }
  // Of 6 tickets, 1, 2 and 3: about 1,000 each, within six standard deviations.
  assert.ok(
    wins.every((count, quantity) => Math.abs(count - 1_000 * quantity) < 240),
    `${wins}`,
  );
});

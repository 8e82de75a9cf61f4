import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { RealmkeepError } from '@realmkeep/client';
import { forgetToasts, type Toast, toast, toasts, undo } from '../../console/state/toasts.ts';

afterEach(forgetToasts);

const failure = (code: string, status = 0): RealmkeepError =>
  new RealmkeepError('unlinkWallet', { code, status, message: code });

/** What is shown after an undo that fails so often in these ways. */
async function afterUndo(...failures: RealmkeepError[]): Promise<Omit<Toast, 'id'>> {
  const left = [...failures];
  toast({
    text: 'Wallet linked',
    undo: async () => {
      const next = left.shift();
      if (next) throw next;
    },
  });
  for (let press = 0; press < failures.length || press === 0; press += 1) {
    await undo(toasts.value.at(-1) ?? assert.fail('there is nothing to press'));
  }
  const [{ id: _, ...shown } = assert.fail('nothing is shown'), ...others] = toasts.value;
  assert.deepEqual(others, []);
  return shown;
}

test('what is undone is said', async () => {
  assert.deepEqual(await afterUndo(), { text: 'Undone: Wallet linked' });
});

test('an undo whose answer alone tells what it did says that', async () => {
  toast({ text: '100 points put on hold', undo: async () => '70 points released' });
  await undo(toasts.value[0] ?? assert.fail('there is nothing to press'));
  assert.deepEqual(
    toasts.value.map(({ text }) => text),
    ['70 points released'],
  );
});

test('an undo that is refused is not called undone', async () => {
  assert.deepEqual(await afterUndo(failure('insufficient-points', 422)), {
    text: 'Not undone. insufficient-points',
    isProblem: true,
  });
});

test('an undo whose answer is lost is in doubt, and can be pressed again', async () => {
  const shown = await afterUndo(failure('connection-failed'));
  assert.equal(shown.isInDoubt, true);
  assert.ok(shown.undo);
  forgetToasts();
  const gone = await afterUndo(failure('timed-out'), failure('wallet-not-found', 404));
  assert.deepEqual(gone, { text: 'Undone: Wallet linked' }, 'the first one has done it');
});

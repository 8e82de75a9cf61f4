import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aheadBy } from '../../console/text/clocks.ts';
import { dayEnd, dayStart } from '../../console/text/days.ts';
import { eventStyle, isInGroup, partsOf, settingsIn } from '../../console/text/events.ts';
import {
  formatAgo,
  formatInstant,
  formatNumber,
  formatSigned,
  shortId,
} from '../../console/text/format.ts';
import { idFrom } from '../../console/text/ids.ts';
import { inOrder, type MemberSort } from '../../console/text/member-order.ts';
import { memberSearch } from '../../console/text/member-search.ts';
import {
  amountOf,
  movedIn,
  orderFault,
  orderHint,
  parseOrder,
} from '../../console/text/sentence.ts';
import { initialOf, visiblePieces, visibleText } from '../../console/text/visible.ts';
import { hasWords } from '../../console/text/word-search.ts';

const POINTS = { id: 'points', name: 'Points', symbol: null, isDefault: true };
const GEMS = { id: 'gem', name: 'Shiny gems', symbol: '◆', isDefault: false };
const KINDS = [POINTS, GEMS];

describe('hidden characters are shown', () => {
  test('overrides and marks that reorder text', () => {
    assert.equal(visibleText('al\u202eice'), 'al[U+202E]ice');
    assert.equal(visibleText('\u2066a\u2069\u200f'), '[U+2066]a[U+2069][U+200F]');
  });

  test('characters that nobody sees', () => {
    for (const hidden of ['\u200b', '\ufeff', '\u00ad', '\u3164', '\u2800', '\u{e0041}', '\n']) {
      assert.match(visibleText(`a${hidden}b`), /^a\[U\+[0-9A-F]{4,5}\]b$/);
    }
  });

  test('what belongs to a picture or a language stays', () => {
    for (const text of ['👩‍💻', '❤️', 'Zoë', 'مريم', '名前', 'a<b>&"']) {
      assert.deepEqual(visiblePieces(text), [{ text, hidden: false }]);
    }
    assert.equal(visibleText('a\u200db'), 'a[U+200D]b', 'a joiner that joins no pictures');
  });
});

test('the initial of a name is its first letter or digit, of any script', () => {
  assert.deepEqual(
    ['<b>', '\u202egpj', 'مريم', '𝒜lice', '🐸 frog', '7up', '🐸', ''].map(initialOf),
    ['B', 'U', 'م', '𝒜', 'F', '7', '?', '?'],
  );
});

test('members that were found are sorted here, equal ones by id', () => {
  const member = (id: string, name: string | null, points: number, day: number) => ({
    id,
    username: null,
    displayName: name,
    balances: { points },
    createdAt: `2026-11-0${day}T00:00:00.000Z`,
  });
  const found = [member('10', 'bob', 5, 1), member('9', 'Ann', 5, 3), member('11', null, 7, 2)];
  const sorted = (by: MemberSort) => inOrder(found, by, 'points').map(({ id }) => id);
  assert.deepEqual(sorted('id'), ['9', '10', '11']);
  assert.deepEqual(sorted('name'), ['11', '9', '10']);
  assert.deepEqual(sorted('-balance'), ['11', '9', '10']);
  assert.deepEqual(sorted('-createdAt'), ['9', '11', '10']);
});

test('an id is made from a name, and is not longer than allowed', () => {
  assert.equal(idFrom(' Acme Guild! ', 64), 'acme-guild');
  assert.equal(idFrom('Café Zoë', 64), 'cafe-zoe');
  assert.equal(idFrom('Shiny gems', 6), 'shiny', 'it does not end with a hyphen');
  assert.equal(idFrom('◆', 32), '');
});

describe('numbers, ids and times', () => {
  test('days are those of UTC', () => {
    assert.equal(dayStart('2026-11-14'), '2026-11-14T00:00:00.000Z');
    assert.equal(dayEnd('2026-12-31'), '2027-01-01T00:00:00.000Z');
    assert.equal(dayStart('yesterday') ?? dayEnd(''), undefined);
  });

  test('long ids are shortened, short ones are not', () => {
    assert.equal(shortId('80351110224678912'), '8035…8912');
    assert.equal(shortId('42'), '42');
  });

  test('an instant is shown as the service writes it', () => {
    assert.equal(formatInstant('2026-11-14T09:30:00.125Z'), '2026-11-14 09:30:00.125 UTC');
  });

  test('far times are dates, near ones are distances', () => {
    const now = Date.parse('2026-11-14T09:30:00Z');
    assert.match(formatAgo(now - 2 * 60_000, now), /2/);
    assert.match(formatAgo(now - 30 * 86_400_000, now), /2026/);
  });
});

describe('what was typed', () => {
  test('one box finds ids, wallets, accounts and names', () => {
    assert.deepEqual(memberSearch(' 8035 '), { by: 'beginning', words: '8035' });
    assert.deepEqual(memberSearch('0x5290'), { by: 'beginning', words: '0x5290' });
    assert.equal(memberSearch('discord:80351110224678912').by, 'account');
    assert.deepEqual(memberSearch('jo smi'), { by: 'beginning', words: 'jo smi' });
    assert.equal(memberSearch('  ').by, 'nothing');
  });
});

describe('the palette', () => {
  test('takes orders', () => {
    assert.deepEqual(parseOrder('add 50 to alice', KINDS), {
      action: 'add',
      tokens: 50,
      kind: POINTS,
      who: 'alice',
    });
    assert.deepEqual(parseOrder('Take 1,000 points from bob b', KINDS), {
      action: 'take',
      tokens: 1000,
      kind: POINTS,
      who: 'bob b',
    });
    for (const text of ['add', 'add 0 to alice', 'add 5 to ', 'alice', 'add five to alice']) {
      assert.equal(parseOrder(text, KINDS), null, text);
    }
    assert.equal(parseOrder('give 5 to alice', KINDS), null, 'a gift has a giver');
  });

  test('an order may name a kind by its name, id or symbol', () => {
    for (const unit of [' shiny gems', ' Shiny Gem', ' gem', 'gem', ' ◆', '◆']) {
      const order = parseOrder(`add 50${unit} to alice`, KINDS);
      assert.deepEqual([order?.tokens, order?.kind], [50, GEMS], unit);
    }
    assert.equal(parseOrder('add 1 point to alice', [GEMS, POINTS])?.kind, POINTS);
    const digits = { ...GEMS, id: '0' };
    assert.equal(parseOrder('add 50 to alice', [POINTS, digits])?.tokens, 50);
    assert.equal(parseOrder('add 50 gold to alice', KINDS), null);
    assert.match(orderFault('add 50 gold to alice', KINDS) ?? '', /no point type .* “gold”/);
  });

  test('an order whose amount is unclear is not guessed at', () => {
    for (const text of ['add 1.5 to alice', 'add 1,5 to alice', 'take 1 5 from bob']) {
      assert.equal(parseOrder(text, KINDS), null, text);
      assert.match(orderFault(text, KINDS) ?? '', /whole/, text);
    }
    assert.equal(orderFault('add 50 to alice', KINDS) ?? orderFault('alice', KINDS), null);
  });

  test('half an order is told how to go on', () => {
    assert.match(orderHint('add 50 to') ?? '', /“add 50 to alice”/);
    assert.match(orderHint('Take 5') ?? '', /“take 50 from alice”/);
    assert.match(orderHint('give 5 to mid') ?? '', /giver/);
    assert.equal(orderHint('alice') ?? orderHint('adder'), null);
  });

  test('finds commands by the beginnings of their words, in any order', () => {
    assert.ok(hasWords('Issue a key create', 'create key') && hasWords('Sign out', ' SIGN o'));
    assert.ok(!hasWords('Wallet check', 'heck') && !hasWords('Sign out', 'sign in'));
  });

  test('amounts are said with the symbol or the name of their kind', () => {
    assert.equal(amountOf(5, { name: 'Points', symbol: null }), '5 points');
    assert.equal(amountOf(1, { name: 'Points', symbol: null }), '1 point');
    assert.equal(amountOf(5, { name: 'Gems', symbol: '◆' }), '5 ◆');
    assert.equal(amountOf(5, { name: 'XP', symbol: null }), '5 XP');
  });
});

describe('events', () => {
  const says = (type: string, data = {}): string => eventStyle({ type, data }).says;

  test('a sentence has texts and slots', () => {
    assert.deepEqual(partsOf(says('points.transferred')), [
      { slot: 'member' },
      { text: ' gave ' },
      { slot: 'amount' },
      { text: ' to ' },
      { slot: 'recipient' },
    ]);
  });

  test('an unknown type is shown by its name', () => {
    assert.equal(says('points.minted'), 'points.minted');
  });

  test('a debt is not told as a gain', () => {
    assert.match(says('points.opened', { tokens: 50 }), /started with {amount}$/);
    assert.match(says('points.opened', { tokens: -50 }), /debt/);
    assert.notEqual(eventStyle({ type: 'points.opened', data: { tokens: -50 } }).tone, 'in');
  });

  test('a reversal says of how much it is, and a gift between whom', () => {
    assert.match(says('points.reversed'), /{amount} for {member}: {original}$/);
    assert.match(says('points.reversed', { recipientId: '2' }), /{member} gave {recipient}/);
    const points = { name: 'Points', symbol: null };
    assert.equal(movedIn({ tokens: 85, originalTokens: 585 }, points), '85 of 585 points');
    assert.equal(movedIn({ tokens: -585, originalTokens: -585 }, points), '585 points');
    assert.equal(movedIn({ tokens: 1 }, points), '1 point');
  });

  test('settings that changed are named', () => {
    const data = { name: 'Acme', changed: ['autoEnroll', 'rateLimit', 'moonPhase'] };
    const names = 'name, adding unknown members, requests per key, moonPhase';
    assert.equal(settingsIn({ data }), names);
    assert.equal(settingsIn({ data: { settings: {} } }), 'several');
  });

  test('groups', () => {
    assert.ok(isInGroup('points.added', 'points') && isInGroup('point.created', 'setup'));
    assert.ok(!isInGroup('point.created', 'points') && isInGroup('key.revoked', ''));
  });
});

describe('the clock of the service', () => {
  const at = Date.parse('2026-11-16T12:00:00.400Z');
  const answer = (date: string, sentAt = at) => ({
    date: Date.parse(date),
    sentAt,
    answeredAt: sentAt + 100,
  });

  test('is that of the reader if the date of an answer agrees with it', () => {
    assert.equal(aheadBy(0, answer('Mon, 16 Nov 2026 12:00:00 GMT')), 0);
    assert.equal(aheadBy(0, answer('none')), 0);
  });

  test('is ahead or behind by what the date says, and does not waver', () => {
    const behind = aheadBy(0, answer('Mon, 16 Nov 2026 11:55:00 GMT'));
    assert.ok(Math.abs(behind + 300_000) < 1_000, String(behind));
    assert.equal(aheadBy(behind, answer('Mon, 16 Nov 2026 11:55:03 GMT', at + 3_000)), behind);
    const corrected = aheadBy(behind, answer('Mon, 16 Nov 2026 12:00:03 GMT', at + 3_000));
    assert.ok(Math.abs(corrected) < 1_000, 'the reader has set the clock');
  });
});

test('figures are exact, however large', () => {
  const sum = 18_014_398_509_481_983n;
  for (const figure of [sum, String(sum)]) {
    assert.equal(formatNumber(figure), '18,014,398,509,481,983');
    assert.equal(formatSigned(figure), '+18,014,398,509,481,983');
    const kind = { name: 'Points', symbol: null };
    assert.equal(amountOf(figure, kind), '18,014,398,509,481,983 points');
  }
});

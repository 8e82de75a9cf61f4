/** The members of a problem beyond those that all have, and what only its sentences show. */
export type Extra = Record<string, unknown>;

/** `{member}` stands for a member of the problem. */
export type Sentence = string | ((extra: Extra) => string);

export const sentenceFrom = (sentence: Sentence, extra: Extra): string =>
  typeof sentence === 'string'
    ? sentence.replaceAll(/\{(\w+)\}/g, (_, name) => String(extra[name]))
    : sentence(extra);

/** The seconds after which to repeat what was refused for a while. */
export const RETRY_AFTER = 1;
export const AGAIN = `Try again in ${RETRY_AFTER} second.`;

/** One of them has the name of the kind without its "s", where English makes it so. */
export const points = (count: unknown, unit = 'points'): string =>
  `${count} ${count === 1 ? unit.replace(/(?<=[a-z])(?<![aious]|ie)s$/, '') : unit}`;

/** Inside a sentence, the name of a kind of points that is one word has no capital. */
export const unitOf = ({ kind = 'Points' }: Extra): string =>
  /^[A-Z][a-z]+$/.test(`${kind}`) ? `${kind}`.toLowerCase() : `${kind}`;

export const who = ({ name, memberId }: Extra): string => `${name ?? `Member ${memberId}`}`;

export const MISMATCHES: Record<string, string> = {
  realm: 'It was issued for another realm.',
  member: 'It was issued for another member.',
  address: 'It was issued for another address.',
  domain: 'It names a different domain than the issued one.',
  text: 'The message differs from the issued one.',
};

/** An id of digits that a JavaScript number may have rounded: it holds 53 bits exactly. */
const looksRounded = (id: string): boolean =>
  /^\d{16,19}$/.test(id) &&
  !Number.isSafeInteger(Number(id)) &&
  [Number(id), BigInt(Number(id))].some((rounded) => String(rounded) === id);

const ROUNDED =
  'Its last digits may have been rounded by a number of JSON: send ids as strings. Otherwise enrol';

export function noMember(id: unknown, purpose = ''): string {
  const advice = looksRounded(String(id)) ? ROUNDED : 'Enrol';
  return `This realm has no member ${id}${purpose}. ${advice} it with POST …/members.`;
}

/** Of a reversal or rejection; `memberStatus` is removed or erased. */
export const wasGone = ({ memberId, memberStatus, reason }: Extra): string =>
  `Member ${memberId} was ${memberStatus}: ${reason}.`;

/** What is not free of a balance. */
export function notesOn({ held, minimumBalance }: Extra): string {
  const notes = [
    ...(held ? [`${held} of them on hold`] : []),
    ...(minimumBalance ? [`the minimum is ${minimumBalance}`] : []),
  ];
  return notes.length > 0 ? ` (${notes.join('; ')})` : '';
}

const SIGN_AGAIN = 'This text to sign is not valid. Start again, and sign the new text.';

/** For people. A problem without a line is the program's fault, or says all in its `detail`. */
export const messages = {
  'realm-not-found': 'This realm does not exist.',
  'member-not-found': (x) => (x.memberStatus ? wasGone(x) : `There is no member ${x.memberId}.`),
  'recipient-not-found': 'There is no member {recipientId}.',
  'realm-point-not-found': 'There are no points called "{realmPointId}".',
  'verification-not-found': 'This check is not known any more. Start another one.',
  'member-exists': (x) => `${who(x)} is already a member.`,
  'challenge-used': SIGN_AGAIN,
  'challenge-not-found': SIGN_AGAIN,
  'challenge-mismatch': SIGN_AGAIN,
  'challenge-expired': SIGN_AGAIN,
  'signature-invalid':
    'This is not a signature of {wallet} for this text. Sign the text exactly as it is shown.',
  'realm-archived': 'This realm is archived: it can be read, but not changed.',
  'realm-point-archived': '{kind} are archived: they can be seen, but not moved.',
  'self-transfer': 'Points cannot be given to oneself. Choose another member.',
  'transfers-disabled': 'Members cannot give each other points here.',
  'not-transferable': '{kind} cannot be given to other members.',
  'too-many-tokens': ({ limit }) => `At most ${points(limit)} can be moved at once.`,
  'member-frozen': (x) => `${who(x)} is frozen and can neither send nor receive points.`,
  'insufficient-points': (x) =>
    `${who(x)} has ${points(x.balance, unitOf(x))}${notesOn(x)} and needs ${x.requested}.`,
  'balance-limit': (x) =>
    `${who(x)} has ${points(x.balance, unitOf(x))} and may have at most ${x.limit}.`,
  'balance-not-zero': (x) => {
    const [has, them] = [points(x.balance, unitOf(x)), x.balance === 1 ? 'it' : 'them'];
    return `${who(x)} still has ${has}. Move ${them} first, or forfeit ${them}.`;
  },
  'webhook-secret-unreadable': 'The secret of this webhook cannot be read. Replace it.',
  'rate-limited': ({ reason }) => `${reason ?? 'Too many requests.'} ${AGAIN}`,
  'outcome-unknown':
    'The database did not answer, so it may have been done. Look before you repeat it.',
} satisfies Record<string, Sentence>;

import { isProblem, type Member } from '@realmkeep/client';
import type { Asked, Person } from './asked.ts';
import { ask, Refusal, type Steps } from './steps.ts';
import { cut, escaped, isDiscordId, mention } from './text/names.ts';

/** The member of a Discord user: who has the account or, without one, the id. */
export function* findMember(userId: string): Steps<Member | null> {
  const account = `discord:${userId}`;
  const { items } = yield* ask('listMembers', {}, { account, limit: 1 });
  if (items[0]) return items[0];
  try {
    const member = yield* ask('getMember', { memberID: userId }, {});
    const isAnother = member.accounts.some(({ provider }) => provider === 'discord');
    return member.status === 'unknown' || isAnother ? null : member;
  } catch (error) {
    if (isProblem(error) && error.code === 'member-not-found') return null;
    throw error;
  }
}

/** The member of a person, by default of who asks, who becomes one on first use. */
export function* enrolled({ once, person, texts }: Asked, who: Person = person): Steps<Member> {
  const { id, username, displayName } = who;
  if (who.isBot) throw new Refusal(texts.bots(escaped(displayName)));
  const found = yield* findMember(id);
  if (found) return found;
  const accounts = [{ provider: 'discord', id, username }];
  const names = { username, displayName: cut(displayName, 128) };
  const own = { ...once, idempotencyKey: `${once.idempotencyKey}:enrol:${id}` };
  try {
    return yield* ask('createMember', {}, { id, ...names, accounts, ...own });
  } catch (error) {
    // Another interaction of the same person was faster.
    const winner = isProblem(error) && error.status === 409 ? yield* findMember(id) : null;
    if (winner) return winner;
    throw error;
  }
}

/** Members by id, as far as they still are members. */
export function* membersById(ids: readonly string[]): Steps<Map<string, Member>> {
  const wanted = [...new Set(ids)].slice(0, 100);
  if (wanted.length === 0) return new Map();
  const { items } = yield* ask('listMembers', {}, { ids: wanted.join(), limit: 100 });
  return new Map(items.map((member) => [member.id, member]));
}

export const discordIdOf = (member: Member): string | undefined =>
  member.accounts.find(({ provider }) => provider === 'discord')?.id ??
  // An id of Discord's shape is one: communities enrol by them.
  (isDiscordId(member.id) ? member.id : undefined);

/** How a message names a member: Discord shows a mention by its name in the server. */
export function nameOf(memberId: string, member: Member | undefined): string {
  const userId = member && discordIdOf(member);
  return userId ? mention(userId) : escaped(plainNameOf(memberId, member));
}

export const plainNameOf = (
  memberId: string,
  member: Pick<Member, 'displayName' | 'username'> | undefined,
): string => member?.displayName ?? member?.username ?? memberId;

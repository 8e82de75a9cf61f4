import type { Static } from 'typebox';
import type { Enrolment, MemberFields, NewMember } from '../domain/commands.ts';
import { type Address, PLAIN_FIELDS } from '../domain/model.ts';
import type { createMembers } from './operations/member-batch.ts';
import type { createMember, updateMember } from './operations/members.ts';

/** Bodies as the commands that they become. They have been checked. */
type MemberSent = Static<typeof createMember.body>;
type EnrolmentSent = Static<typeof createMembers.body>['members'][number];
type FieldsSent = MemberSent | Static<typeof updateMember.body>;

type ParseAddress = (text: string) => Address;

export function enrolmentOf(sent: EnrolmentSent, parseAddress: ParseAddress): Enrolment {
  const { balances = {}, status } = sent;
  return {
    ...newMemberOf(sent, parseAddress),
    balances: Object.entries(balances).map(([realmPointId, tokens]) => ({ realmPointId, tokens })),
    ...(status && { status }),
  };
}

export function newMemberOf(sent: MemberSent, parseAddress: ParseAddress): NewMember {
  const { id, wallets = [] } = sent;
  return {
    memberId: id === undefined ? null : String(id),
    fields: memberFieldsOf(sent),
    wallets: wallets.map(parseAddress),
  };
}

/** Only those that were sent; unknown fields are ignored, not stored. */
export function memberFieldsOf(sent: FieldsSent): MemberFields {
  const { accounts, tags, metadata } = sent;
  const fields: MemberFields = {};
  for (const name of PLAIN_FIELDS) {
    const value = sent[name];
    if (value !== undefined) fields[name] = value;
  }
  if (accounts) fields.accounts = accounts.map(accountOf);
  if (tags) fields.tags = JSON.stringify([...new Set(tags)]);
  if (metadata) fields.metadata = JSON.stringify(metadata);
  return fields;
}

type AccountSent = NonNullable<MemberSent['accounts']>[number];

const accountOf = ({ provider, id, username = null }: AccountSent) => ({ provider, id, username });

import type { OwnedAccount, OwnedWallet } from '../facts.ts';
import {
  type Account,
  type ApiKeyRow,
  BLANK_PROFILE,
  JSON_FIELDS,
  type MemberRow,
  PROFILE_COLUMNS,
  type Profile,
  type ProfileColumns,
} from '../model.ts';
import type { PersonRow } from '../person.ts';
import type { RecordOf, RecordType } from '../records.ts';
import { accountKey } from './books.ts';
import {
  Column,
  type Comparison,
  compareDigests,
  compareRows,
  digestOf,
  MemberIndex,
} from './comparison.ts';

/** What the journal says of a key. Of its secret it says nothing. */
interface DerivedKey extends Pick<ApiKeyRow, 'id' | 'name' | 'expiresAt' | 'replacedBy'> {
  scopes: string;
  isRevoked: boolean;
}

type DerivedPerson = Pick<PersonRow, 'id' | 'name' | 'role'> & { isRemoved: boolean };

type PersonType = Extract<RecordType, `person.${string}`>;
type StoredProfile = Pick<MemberRow, 'id'> & ProfileColumns;
export type StoredAccount = OwnedAccount & { key: string };

/** Who is who. A part of the journal that was erased says nothing; the row is blank then. */
export class IdentityAuditor {
  readonly #members: MemberIndex;
  readonly #isPart: boolean;
  readonly #profiles = new Map(PROFILE_COLUMNS.map((name) => [name, new Column()]));
  readonly #accounts = new Column();
  readonly #wallets: WalletAuditor;
  readonly #keys = new Map<string, DerivedKey>();
  readonly #people = new Map<string, DerivedPerson>();

  /** Of what happened before its first record, a part of a journal says nothing. */
  constructor(members: MemberIndex, isPart = false) {
    this.#members = members;
    this.#isPart = isPart;
    this.#wallets = new WalletAuditor(members, isPart);
  }

  add(record: RecordOf): void {
    const { type, data } = record;
    if (type === 'member.created') this.#setProfile(data.memberId, { ...BLANK, ...data });
    if (type === 'member.updated') this.#setProfile(data.memberId, data);
    if (type === 'member.removed') this.#setProfile(data.memberId, { accounts: [] });
    if (type === 'member.erased') this.#setProfile(data.memberId, BLANK);
    if (type === 'wallet.linked') this.#wallets.link(data);
    if (type === 'wallet.verified') this.#wallets.verify(data);
    if (type === 'wallet.unlinked') this.#wallets.unlink(data);
    if (type === 'key.created') {
      const { keyId: id, name, scopes, expiresAt } = data;
      const ends = { expiresAt: expiresAt === null ? null : Date.parse(expiresAt) };
      const rest = { scopes: scopes.join(' '), replacedBy: null, isRevoked: false };
      this.#keys.set(id, { id, name, ...rest, ...ends });
    }
    const key = 'keyId' in data ? this.#keys.get(data.keyId) : undefined;
    if (key && type === 'key.revoked') this.#keys.set(key.id, { ...key, isRevoked: true });
    if (key && type === 'key.rotated') {
      const { newKeyId, overlapUntil } = data;
      this.#keys.set(newKeyId, { ...key, id: newKeyId });
      const expiresAt = Date.parse(overlapUntil);
      this.#keys.set(key.id, { ...key, expiresAt, replacedBy: newKeyId });
    }
    if ('personId' in data) this.#addPerson(record as RecordOf<PersonType>);
  }

  #addPerson({ type, data }: RecordOf<PersonType>): void {
    const { personId: id } = data;
    if (type === 'person.invited') {
      this.#people.set(id, { id, name: data.name ?? null, role: data.role, isRemoved: false });
    }
    const person = this.#people.get(id);
    if (!person) return;
    if (type === 'person.updated') {
      const { name = person.name, role = person.role } = data;
      this.#people.set(id, { ...person, name, role });
    }
    if (type === 'person.removed') this.#people.set(id, { ...person, isRemoved: true });
    if (type === 'person.erased') this.#people.set(id, { ...person, name: null });
  }

  profiles(): Comparison<StoredProfile> {
    return {
      add: (row) => {
        const index = this.#members.of(row.id);
        const isWrong = (name: keyof ProfileColumns): boolean => {
          const right = this.#profiles.get(name)?.get(index);
          return !isUnknown(right) && right !== digestOf(comparable(name, row[name]));
        };
        const wrong = PROFILE_COLUMNS.find(isWrong);
        if (wrong === undefined) return null;
        return { seq: null, memberId: row.id, detail: `the ${wrong} differs from the journal` };
      },
      end: () => null,
    };
  }

  accounts(): Comparison<StoredAccount> {
    return compareDigests(
      this.#members,
      this.#accounts,
      (stored, { memberId, key, ...account }) => {
        stored.mix(this.#members.of(memberId), accountDigest(account));
        if (key === accountKey(account)) return null;
        return { seq: null, memberId, detail: `an account of the member is found by ${key}` };
      },
      'the accounts of the member differ from the journal',
    );
  }

  wallets(): Comparison<OwnedWallet> {
    return this.#wallets.wallets();
  }

  keys(): Comparison<ApiKeyRow> {
    const tell = ({ id }: DerivedKey, says: string) => `the key ${id} ${says}`;
    const rows = compareRows(this.#keys.values(), ({ id }) => id, tell);
    return {
      add: ({ id, name, expiresAt, replacedBy, scopes, revokedAt }) => {
        if (this.#isPart && !this.#keys.has(id)) return null;
        const state = { scopes: scopes.join(' '), isRevoked: revokedAt !== null };
        return rows.add({ id, name, expiresAt, replacedBy, ...state });
      },
      end: () => rows.end(),
    };
  }

  people(): Comparison<PersonRow> {
    const tell = ({ id }: DerivedPerson, says: string) => `the person ${id} ${says}`;
    const rows = compareRows(this.#people.values(), ({ id }) => id, tell);
    return {
      add: ({ id, name, role, removedAt }) => {
        if (this.#isPart && !this.#people.has(id)) return null;
        return rows.add({ id, name, role, isRemoved: removedAt !== null });
      },
      end: () => rows.end(),
    };
  }

  /** Fields that are absent stay as they are. */
  #setProfile(memberId: string, { accounts, ...rest }: Partial<Profile>): void {
    const index = this.#members.of(memberId);
    for (const [name, column] of this.#profiles) {
      const value = rest[name];
      if (value === undefined) continue;
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      column.set(index, digestOf(text));
    }
    if (!accounts) return;
    this.#accounts.delete(index);
    // Of two with the same key, the last one counts.
    const byKey = new Map(accounts.map((account) => [accountKey(account), account]));
    for (const account of byKey.values()) this.#accounts.mix(index, accountDigest(account));
  }
}

/** Tags and metadata as records have them: parsed, and written again. */
function comparable(name: keyof ProfileColumns, text: string | null): string | null {
  const isJson = (JSON_FIELDS as readonly string[]).includes(name);
  if (!isJson || text === null || text === BLANK_PROFILE[name]) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // It was damaged.
    return null;
  }
}

const isUnknown = (value: number | undefined): boolean =>
  value === undefined || Number.isNaN(value);

const BLANK: Profile = { ...BLANK_PROFILE, tags: [], metadata: {}, accounts: [] };

const accountDigest = ({ provider, id, username }: Account): number =>
  digestOf(provider, id, username);

/** Who owns a wallet that was unlinked. */
const NOBODY = -1;

type WalletRecord<Type extends 'linked' | 'verified' | 'unlinked'> =
  RecordOf<`wallet.${Type}`>['data'];

/** Whose the wallets are, by the place of their addresses in the journal. */
class WalletAuditor {
  readonly #members: MemberIndex;
  readonly #isPart: boolean;
  readonly #wallets = new MemberIndex();
  readonly #owners = new Column();
  readonly #chains = new Column();
  /** A digest of its proof; 0 while it has not been verified. */
  readonly #proofs = new Column();
  readonly #primary = new Column();

  constructor(members: MemberIndex, isPart: boolean) {
    this.#members = members;
    this.#isPart = isPart;
  }

  link({ memberId, address, chain, primary, erased }: WalletRecord<'linked'>): void {
    if (erased) return;
    const [wallet, owner] = [this.#wallets.of(address), this.#members.of(memberId)];
    const before = this.#owners.get(wallet);
    // One that was linked before can only become the primary one.
    const mayBeKnown = this.#isPart && isUnknown(before) && primary;
    if (before !== owner && !mayBeKnown) this.#proofs.set(wallet, 0);
    this.#owners.set(wallet, owner);
    this.#chains.set(wallet, digestOf(chain));
    if (primary) this.#primary.set(owner, wallet);
  }

  verify({ address, verifiedOn, erased }: WalletRecord<'verified'>): void {
    if (!erased) this.#proofs.set(this.#wallets.of(address), digestOf(verifiedOn));
  }

  unlink({ memberId, address, newPrimary, erased }: WalletRecord<'unlinked'>): void {
    if (erased) return;
    this.#owners.set(this.#wallets.of(address), NOBODY);
    if (newPrimary === undefined) return;
    this.#primary.set(this.#members.of(memberId), this.#wallets.of(newPrimary));
  }

  wallets(): Comparison<OwnedWallet> {
    const seen = new Column();
    return {
      add: (row) => {
        const detail = this.#faultOf(row);
        seen.set(this.#wallets.of(row.address), 1);
        return detail === null ? null : { seq: null, memberId: row.memberId, detail };
      },
      end: () => {
        const wallet = this.#owners.findIndex(
          (owner, index) => owner !== NOBODY && isUnknown(seen.get(index)),
        );
        if (wallet < 0) return null;
        const memberId = this.#members.idOf(this.#owners.get(wallet));
        const detail = `the row of the wallet ${this.#wallets.idOf(wallet)} is missing`;
        return { seq: null, memberId, detail };
      },
    };
  }

  #faultOf({ memberId, address, ...row }: OwnedWallet): string | null {
    const wallet = this.#wallets.of(address);
    const [owner, claimed] = [this.#owners.get(wallet), this.#members.of(memberId)];
    if (this.#isPart && isUnknown(owner)) return null;
    if (owner !== claimed) {
      const right = this.#members.idOf(owner) || 'nobody';
      return `the wallet ${address} belongs to ${right} according to the journal`;
    }
    const isAs = (right: number, stored: number): boolean => isUnknown(right) || right === stored;
    const primary = this.#primary.get(owner);
    const isRight =
      row.key === (row.chain === 'eip155' ? address.toLowerCase() : address) &&
      isAs(this.#chains.get(wallet), digestOf(row.chain)) &&
      (isUnknown(primary) || row.primary === (primary === wallet)) &&
      isAs(this.#proofs.get(wallet), row.verifiedAt === null ? 0 : digestOf(row.verifiedOn));
    return isRight ? null : `the wallet ${address} differs from the journal`;
  }
}

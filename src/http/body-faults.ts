import { MAX_BATCH_ROWS } from '../contract/operations/member-batch.ts';
import { MAX_WALLETS } from '../contract/operations/members.ts';
import type { OperationId } from '../contract/operations.ts';
import type { RequestFault } from '../contract/problems.ts';
import { MAX_BATCH, TOKENS_FAULT } from '../contract/schemas.ts';
import type { BodyFaults, Fields } from '../contract/validation.ts';
import type { Address, Chain, PointKind } from '../domain/model.ts';
import { MAX_SERVERS } from '../domain/rules/discord-links.ts';
import { termsFaults } from '../domain/rules/offers.ts';
import { defaultsIn, repeatedKinds } from '../domain/rules/realms.ts';
import type { Services } from './services.ts';

/**
 * Finds faults that no schema can express. They are reported together with the schema's faults, so
 * that a caller sees all of them at once; hence a value may still be of any type here.
 */
export function bodyFaultsOf({ addresses, proofs, webhooks }: Services): {
  [Id in OperationId]?: BodyFaults;
} {
  const { addressFaults, walletListFaults } = addressChecks(addresses);
  /** An invalid address has a fault of its own. */
  const walletFaults = (
    pointer: string,
    address: unknown,
    faultOf: (wallet: Address) => string | null,
  ): RequestFault[] => {
    const parsed = typeof address === 'string' ? addresses.parse(address) : null;
    return parsed && 'key' in parsed ? faultAt(pointer, faultOf(parsed)) : [];
  };
  const urlFaults = (url: unknown): RequestFault[] =>
    typeof url === 'string' ? faultAt('/url', webhooks.targets.fault(url)) : [];
  const linkFaults: BodyFaults = ({ address, chain, message, signature }) => [
    ...addressFaults('/address', address, kindOf(chain)),
    ...halfProofFaults(message, signature),
    ...walletFaults('/signature', address, (wallet) =>
      typeof signature === 'string' ? proofs.signatureFault(wallet, signature) : null,
    ),
  ];
  const challengeFaults: BodyFaults = ({ address, chain }) => {
    const faults = addressFaults('/address', address, kindOf(chain));
    return faults.length > 0 ? faults : walletFaults('/address', address, proofs.walletFault);
  };
  return {
    linkWallet: linkFaults,
    redeemWalletLink: linkFaults,
    challengeWallet: challengeFaults,
    openWalletLink: challengeFaults,
    createAsset: ({ contract, standard, tokenId }) => [
      ...addressFaults('/contract', contract, 'eip155'),
      ...tokenIdFaults(standard, tokenId),
    ],
    createRealm: ({ points }) => (Array.isArray(points) ? kindFaults(points) : []),
    updateRealm: ({ settings }) => serverFaults(Object(settings).discord),
    createOffer: (body) =>
      termsFaults(body).map(({ field, fault }) => ({ pointer: `/${field}`, detail: fault })),
    createWebhook: ({ url }) => urlFaults(url),
    updateWebhook: ({ url }) => urlFaults(url),
    changePoints: (body) => upToFaults(body, ''),
    changeManyPoints: entryFaults,
    createMembers: ({ members }) => {
      const faults = rowFaults(members);
      if (faults.length > 0) return faults;
      return inEach('/members', members, ({ wallets }, pointer) =>
        walletListFaults(`${pointer}/wallets`, wallets),
      );
    },
    createMember: ({ wallets }) => walletListFaults('/wallets', wallets),
    putMember: ({ id, wallets }, { memberID }) => [
      ...otherIdFaults(id, memberID),
      ...walletListFaults('/wallets', wallets),
    ],
  };
}

/** The faults of each object in a list, as far as the list is not too long. */
const inEach = (
  pointer: string,
  list: unknown,
  faultsOf: (entry: Fields, pointer: string) => RequestFault[],
): RequestFault[] =>
  listIn(list)
    .slice(0, MAX_BATCH)
    .flatMap((entry, index) =>
      entry instanceof Object ? faultsOf(entry as Fields, `${pointer}/${index}`) : [],
    );

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const TRANSFER_FAULT = 'must be at least 1 if there is "recipientId"';

/** An entry of 0 is nothing to do only if the body says so. */
export const entryFaults: BodyFaults = ({ entries, skipZero }) =>
  inEach('/entries', entries, (entry, pointer) => {
    const { tokens, recipientId } = entry;
    const place = `${pointer}/tokens`;
    if (recipientId !== undefined)
      return faultAt(place, Number(tokens) < 1 ? TRANSFER_FAULT : null);
    const isZero = tokens === 0 && skipZero !== true;
    return [...faultAt(place, isZero ? TOKENS_FAULT : null), ...upToFaults(entry, pointer)];
  });

const upToFaults = ({ upTo, tokens }: Fields, pointer: string): RequestFault[] =>
  faultAt(
    `${pointer}/upTo`,
    upTo === true && Number(tokens) > 0 ? 'must be absent or false to add points' : null,
  );

const TOO_MANY_ROWS =
  `must have at most ${MAX_BATCH_ROWS} members, accounts, wallets and balances in all; split ` +
  'them over several calls';

function rowFaults(members: unknown): RequestFault[] {
  let rows = 0;
  inEach('', members, ({ accounts, wallets, balances }) => {
    rows += 1 + listIn(accounts).length + listIn(wallets).length;
    rows += Object.keys(balances ?? {}).length;
    return [];
  });
  return faultAt('/members', rows > MAX_BATCH_ROWS ? TOO_MANY_ROWS : null);
}

const otherIdFaults = (id: unknown, memberId: unknown): RequestFault[] =>
  id === undefined || String(id) === memberId
    ? []
    : faultAt('/id', 'must be the id in the path, or absent');

function addressChecks({ parse }: Services['addresses']) {
  const addressFaults = (pointer: string, address: unknown, chain?: Chain): RequestFault[] => {
    const parsed = typeof address === 'string' ? parse(address, chain) : null;
    return parsed && 'fault' in parsed ? faultAt(pointer, parsed.fault) : [];
  };
  const walletListFaults = (pointer: string, wallets: unknown): RequestFault[] =>
    listIn(wallets)
      .slice(0, MAX_WALLETS)
      .flatMap((wallet, index) => addressFaults(`${pointer}/${index}`, wallet));
  return { addressFaults, walletListFaults };
}

const faultAt = (pointer: string, fault: string | null): RequestFault[] =>
  fault === null ? [] : [{ pointer, detail: fault }];

/** What the rules would refuse, each at its place. */
function kindFaults(kinds: readonly Partial<PointKind>[]): RequestFault[] {
  const repeated = repeatedKinds(kinds).flatMap((index) =>
    faultAt(`/points/${index}/id`, 'is the id of another kind before it'),
  );
  const isNoDefault = kinds.length === 1 && kinds[0]?.isDefault === false;
  const lonely = isNoDefault ? 'must be true or absent: the only kind is the default' : null;
  const defaults = defaultsIn(kinds);
  const fault = `must have exactly one kind with "isDefault": true, not ${defaults}`;
  return [
    ...repeated,
    ...faultAt('/points/0/isDefault', lonely),
    ...faultAt('/points', kinds.length < 2 || defaults === 1 ? null : fault),
  ];
}

function serverFaults(servers: unknown): RequestFault[] {
  const first = listIn(servers).slice(0, MAX_SERVERS);
  const ids = first.map((server) => Object(server).guildId);
  return ids.flatMap((id, index) =>
    id === undefined || ids.indexOf(id) === index
      ? []
      : faultAt(`/settings/discord/${index}/guildId`, 'is the id of another server before it'),
  );
}

const KIND = /^(eip155|solana|bitcoin)(?:$|(?<=eip155):\d+$)/;

/** An invalid chain has a fault of its own; the address is then checked without it. */
function kindOf(chain: unknown): Chain | undefined {
  const known = typeof chain === 'string' ? KIND.exec(chain)?.[1] : undefined;
  return known as Chain | undefined;
}

function halfProofFaults(message: unknown, signature: unknown): RequestFault[] {
  if ((message === undefined) === (signature === undefined)) return [];
  const missing = message === undefined ? '/message' : '/signature';
  const fault = 'is required: a proof has both the message of a challenge and its signature';
  return faultAt(missing, fault);
}

function tokenIdFaults(standard: unknown, tokenId: unknown = null): RequestFault[] {
  if (standard === 'erc1155' && tokenId === null) {
    return faultAt('/tokenId', 'is required if "standard" is "erc1155"');
  }
  const hasNone = standard === 'erc20' || standard === 'erc721';
  const fault = 'must be absent unless "standard" is "erc1155"';
  return faultAt('/tokenId', hasNone && tokenId !== null ? fault : null);
}

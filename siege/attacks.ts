import type { Attack } from './attack.ts';
import { batches } from './attacks/batches.ts';
import { bursts } from './attacks/bursts.ts';
import { compatibilityNames } from './attacks/compatibility-names.ts';
import { enrolments } from './attacks/enrolments.ts';
import { expiringHolds } from './attacks/expiring-holds.ts';
import { exports } from './attacks/exports.ts';
import { filteredLists } from './attacks/filtered-lists.ts';
import { filteredStatements } from './attacks/filtered-statements.ts';
import { formerTies } from './attacks/former-ties.ts';
import { garbage } from './attacks/garbage.ts';
import { histories } from './attacks/histories.ts';
import { holds, manyHolds } from './attacks/holds.ts';
import { hostileReceivers } from './attacks/hostile-receivers.ts';
import { idempotencyKeys } from './attacks/idempotency-keys.ts';
import { kindLists } from './attacks/kind-lists.ts';
import { largeBatches } from './attacks/large-batches.ts';
import { largeMembers } from './attacks/large-members.ts';
import { largestLists } from './attacks/largest-lists.ts';
import { leavers } from './attacks/leavers.ts';
import { memberBatches } from './attacks/member-batches.ts';
import { nestedArrays } from './attacks/nested-arrays.ts';
import { newKinds } from './attacks/new-kinds.ts';
import { overTheLimit } from './attacks/over-the-limit.ts';
import { pipelinedLists } from './attacks/pipelined-lists.ts';
import { pipelinedReadyz } from './attacks/pipelined-readyz.ts';
import { refusedEnrolments } from './attacks/refused-enrolments.ts';
import { removals } from './attacks/removals.ts';
import { replays } from './attacks/replays.ts';
import { searches } from './attacks/searches.ts';
import { sessions } from './attacks/sessions.ts';
import { shortLists } from './attacks/short-lists.ts';
import { silentReaders } from './attacks/silent-readers.ts';
import { slowSenders } from './attacks/slow-senders.ts';
import { silentStreams, streams } from './attacks/streams.ts';
import { tinyChunks } from './attacks/tiny-chunks.ts';
import { twoProcesses } from './attacks/two-processes.ts';
import { unreadDocuments } from './attacks/unread-documents.ts';
import { verifies } from './attacks/verifies.ts';
import { walletChecks } from './attacks/wallet-checks.ts';
import { walletLists } from './attacks/wallet-lists.ts';
import { wrongEntries } from './attacks/wrong-entries.ts';
import { wrongKeys } from './attacks/wrong-keys.ts';
import { wrongSignatures } from './attacks/wrong-signatures.ts';

/** In the order of the table. A new attack is a file in attacks/ and its name here. */
export const attacks: readonly Attack[] = [
  pipelinedReadyz,
  pipelinedLists,
  largestLists,
  leavers,
  silentReaders,
  unreadDocuments,
  slowSenders,
  streams,
  silentStreams,
  garbage,
  batches,
  largeBatches,
  bursts,
  holds,
  manyHolds,
  expiringHolds,
  enrolments,
  memberBatches,
  removals,
  refusedEnrolments,
  compatibilityNames,
  nestedArrays,
  tinyChunks,
  wrongEntries,
  searches,
  walletLists,
  kindLists,
  walletChecks,
  wrongSignatures,
  largeMembers,
  shortLists,
  filteredLists,
  filteredStatements,
  formerTies,
  histories,
  exports,
  newKinds,
  verifies,
  sessions,
  wrongKeys,
  overTheLimit,
  idempotencyKeys,
  replays,
  hostileReceivers,
  twoProcesses,
];

export const attacksOn = (database: string): readonly Attack[] =>
  attacks.filter(({ needsOtherProcess }) => database === 'postgres' || !needsOtherProcess);

export function attackNamed(name: string): Attack {
  const attack = attacks.find((one) => one.name === name);
  if (!attack) throw new Error(`there is no attack ${name}`);
  return attack;
}

import type { Claim } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { offersOf } from '../../state/offers.ts';
import type { Pages } from '../../state/pages.ts';
import { kindOf, mayChange, useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { formatNumber } from '../../text/format.ts';
import { Also } from '../../ui/Also.tsx';
import { Button } from '../../ui/Button.tsx';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { ClaimAmounts, Emoji, OfferName, StateBadge } from '../../ui/Offers.tsx';
import { Reference } from '../../ui/Reference.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Values.tsx';
import { BalanceOutcome } from '../member/amounts.tsx';
import { memberKey } from '../member/member-key.ts';
import { useClaimKeys } from './use-claim-keys.ts';

interface TableProps {
  pages: Pages<Claim>;
  /** What all of them have in common, which no row says; then keys do nothing. */
  of?: 'offer' | 'member';
  onChanged?: () => void;
  empty: ComponentChildren;
}

/** Claims, with what can be done about those that wait. */
export function ClaimTable({ pages, of, onChanged, empty }: TableProps) {
  const { api, realm } = useRealm();
  const [rejecting, setRejecting] = useState<Claim | null>(null);
  const offers = offersOf(api).value;
  const settle = (settled: Claim): void => {
    pages.patch((row) => (row.claimId === settled.claimId ? settled : row));
    onChanged?.();
  };
  const deliver = useDeliver(settle);
  const canReject = ({ offerId }: Claim): boolean => !offers.get(offerId)?.drawSeq;
  const reject = (claim: Claim): void => setRejecting(canReject(claim) ? claim : null);
  const canSettle = mayChange(realm);
  const keys = { d: deliver, r: reject };
  const { box, current, point } = useClaimKeys(canSettle && !of ? pages.rows : undefined, keys);
  const state = (claim: Claim) =>
    claim.status === 'pending' && canSettle ? (
      <Actions
        hasHints={claim.claimId === current}
        deliver={() => deliver(claim)}
        reject={canReject(claim) ? () => reject(claim) : null}
      />
    ) : (
      <StateBadge status={claim.status} />
    );
  return (
    <div class="wraps" ref={box} onFocusIn={point} onPointerDown={point}>
      <Table
        label="Claims"
        columns={columns(of, state)}
        rows={pages.rows}
        rowKey={pages.rowKey}
        rowClass={({ claimId }) => (claimId === current ? 'current' : '')}
        paging={pages}
        empty={empty}
      />
      {rejecting && (
        <RejectDialog claim={rejecting} onDone={settle} onClose={() => setRejecting(null)} />
      )}
    </div>
  );
}

interface ActionsProps {
  hasHints: boolean;
  deliver: () => void;
  reject: (() => void) | null;
}

/** What can be done about a claim that waits, with its keys if it is marked. */
function Actions({ hasHints, deliver, reject }: ActionsProps) {
  const hint = (key: string) => hasHints && <kbd class="not-on-phones">{key}</kbd>;
  return (
    <span class="row end-row">
      <Button small onClick={deliver}>
        Deliver {hint('D')}
      </Button>
      {reject && (
        <Button small tone="quiet" onClick={reject}>
          Reject {hint('R')}
        </Button>
      )}
    </span>
  );
}

/** Delivers a claim at once: it moves no points. A key that is pressed twice delivers once. */
function useDeliver(onDone: (claim: Claim) => void) {
  const { api } = useRealm();
  return ({ claimId }: Claim): void => {
    const sent = api.claim(claimId).deliver({ idempotencyKey: `console-deliver-${claimId}` });
    sent.then(onDone, (error: Error) =>
      toast({ text: `Not delivered. ${error.message}`, isProblem: true }),
    );
  };
}

interface WhatProps {
  claim: Claim;
  of: TableProps['of'];
  /** On phones the state stands below the claim. */
  children: ComponentChildren;
}

function What({ claim, of, children }: WhatProps) {
  const { api } = useRealm();
  const { claimId, offerId, memberId, quantity, streak, at, reference } = claim;
  const member = <Counterparty id={memberId} />;
  return (
    <div class="row">
      {of !== 'offer' && (
        <Emoji value={offersOf(api).value.get(offerId)?.emoji ?? null} id={offerId} />
      )}
      <div class="two-lines">
        <span class="ellipsis">
          {of === 'offer' ? member : <OfferName id={offerId} />}
          {quantity > 1 && <b class="number"> × {formatNumber(quantity)}</b>}
        </span>
        <span class="caption ellipsis">
          {!of && <>{member} · </>}
          <ClaimAmounts claim={claim} />
          {' · '}
          <a class="quiet-link" href={addresses.record(api.id, claimId)}>
            <Time at={at} />
          </a>
          {streak !== null && streak > 1 && ` · day ${formatNumber(streak)} in a row`}
          {reference && <Also is={<Reference value={reference} />} />}
        </span>
        <div class="on-phones">{children}</div>
      </div>
    </div>
  );
}

const columns = (
  of: TableProps['of'],
  state: (claim: Claim) => ComponentChildren,
): Column<Claim>[] => [
  {
    id: 'what',
    header: 'Claim',
    cell: (claim) => (
      <What claim={claim} of={of}>
        {state(claim)}
      </What>
    ),
  },
  { id: 'state', header: 'State', width: 228, isNumber: true, from: 'medium', cell: state },
];

interface RejectProps {
  claim: Claim;
  onDone: (claim: Claim) => void;
  onClose: () => void;
}

/** Takes a claim back. It is asked first: points move, and it is final. */
function RejectDialog({ claim, onDone, onClose }: RejectProps) {
  const { api, kinds } = useRealm();
  const { claimId, memberId, offerId, gave, cost } = claim;
  const { value: member } = useAnswer(memberKey(api.id, memberId), (signal) =>
    api.member(memberId).get({ signal }),
  );
  const name = offersOf(api).value.get(offerId)?.name ?? offerId;
  const submit = async (write: Write) => {
    onDone(await api.claim(claimId).reject(write(claimId)));
    return { text: `${member ? nameOf(member) : `Member ${memberId}`}: ${name} rejected` };
  };
  const moved = Object.keys({ ...cost, ...gave });
  return (
    <FormDialog
      title={`Reject this claim of ${name}?`}
      action="Reject"
      tone={Object.keys(gave).length > 0 ? 'danger' : 'primary'}
      outcome={
        <>
          {member &&
            moved.map((kind) => (
              <BalanceOutcome
                key={kind}
                member={member}
                kind={kindOf(kinds, kind)}
                by={(cost[kind] ?? 0) - (gave[kind] ?? 0)}
              />
            ))}
          {member ? <Name member={member} /> : 'The member'} may claim it again, and it counts as
          not taken.
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

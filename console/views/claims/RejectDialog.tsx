import type { Claim } from '@realmkeep/client';
import { useAnswer } from '../../state/answers.ts';
import { offersOf } from '../../state/offers.ts';
import { kindOf, useRealm } from '../../state/realm.ts';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Name, nameOf } from '../../ui/MemberName.tsx';
import { BalanceOutcome } from '../member/amounts.tsx';
import { memberKey } from '../member/member-key.ts';

interface RejectProps {
  claim: Claim;
  onDone: (claim: Claim) => void;
  onClose: () => void;
}

/** Takes a claim back. It is asked first: points move, and it is final. */
export function RejectDialog({ claim, onDone, onClose }: RejectProps) {
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

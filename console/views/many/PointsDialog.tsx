import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { awarding } from '../../api/many-members.ts';
import { addRefusal, spendRefusal } from '../../state/allowed.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { plural } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { useKind } from '../../ui/KindSelect.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { AmountField, DescriptionField } from '../member/amounts.tsx';
import { ManyDialog, RefusedList } from './ManyDialog.tsx';

export interface ManyMembersProps {
  members: readonly Member[];
  onChanged: () => void;
  onClose: () => void;
}

/** Adds points to many members, or takes them. */
export function PointsDialog(props: ManyMembersProps & { isTaking: boolean }) {
  const { members, isTaking, ...rest } = props;
  const { api, realm } = useRealm();
  const kind = useKind();
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  const tokens = parseAmount(typed);
  const refusalOf = isTaking ? spendRefusal : addRefusal;
  const refused = members.flatMap((member) => {
    const reason = tokens === null ? null : refusalOf(member, kind, realm, tokens);
    return reason === null ? [] : [{ id: member.id, name: nameOf(member), reason }];
  });
  const by = isTaking ? -(tokens ?? 0) : (tokens ?? 0);
  const count = members.length - refused.length;
  return (
    <ManyDialog
      title={`${isTaking ? 'Take points from' : 'Add points to'} ${plural(members.length, 'member')}`}
      action={isTaking ? 'Take points' : 'Add points'}
      tone={isTaking ? 'danger' : 'primary'}
      canSubmit={tokens !== null}
      targets={members.map((member) => ({ id: member.id, name: nameOf(member), tokens: by }))}
      sending={() => awarding(api, { kind, description: description.trim() })}
      outcome={
        tokens !== null && (
          <>
            <div>
              {plural(count, 'member')}{' '}
              {isTaking ? (count === 1 ? 'gives' : 'give') : count === 1 ? 'gets' : 'get'}{' '}
              <b>{amountOf(tokens, kind)}</b> each, {amountOf(BigInt(tokens) * BigInt(count), kind)}{' '}
              in all.
            </div>
            {refused.length > 0 && (
              <>
                <div>{plural(refused.length, 'member')} will be refused:</div>
                <RefusedList refused={refused} />
              </>
            )}
          </>
        )
      }
      {...rest}
    >
      <AmountField kind={kind} value={typed} onInput={setTyped} hint="For each of them." />
      <DescriptionField value={description} onInput={setDescription} />
    </ManyDialog>
  );
}

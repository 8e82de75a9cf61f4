import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { awarding } from '../../api/many-members.ts';
import { given } from '../../api/service.ts';
import { addRefusal, spendRefusal } from '../../state/allowed.ts';
import { oneByOne } from '../../state/many.ts';
import { useRealm } from '../../state/realm.ts';
import { parseAmount } from '../../text/amounts.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { amountOf } from '../../text/sentence.ts';
import { tagsAfter, tagsIn } from '../../text/tags.ts';
import { Segments } from '../../ui/Choices.tsx';
import { TextField, useForm } from '../../ui/Field.tsx';
import { useKind } from '../../ui/KindSelect.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { AmountField, DescriptionField } from '../member/amounts.tsx';
import { ManyDialog, RefusedList } from './ManyDialog.tsx';

/** Freezes those who are not frozen, or unfreezes those who are. */
export function FreezeManyDialog(props: ManyMembersProps & { isFreezing: boolean }) {
  const { members, isFreezing, ...rest } = props;
  const { api } = useRealm();
  const [status, former] = isFreezing
    ? (['frozen', 'active'] as const)
    : (['active', 'frozen'] as const);
  const some = members.filter((member) => member.status === former);
  const left = members.length - some.length;
  const count = plural(some.length, 'member');
  const verb = isFreezing ? 'Freeze' : 'Unfreeze';
  return (
    <ManyDialog
      title={`${verb} ${plural(members.length, 'member')}?`}
      action={verb}
      canSubmit
      targets={some.map((member) => ({ id: member.id, name: nameOf(member) }))}
      sending={() =>
        oneByOne(async ({ id }, idempotencyKey) => {
          await api.member(id).update({ status, idempotencyKey });
          return () => api.member(id).update({ status: former });
        })
      }
      outcome={
        <>
          <div>
            {isFreezing
              ? `No points move in or out of ${count} until they are unfrozen.`
              : `Points of ${count} can be moved again.`}
          </div>
          {left > 0 && (
            <div>
              {plural(left, 'member')} {left === 1 ? 'is' : 'are'} {status} already.
            </div>
          )}
        </>
      }
      {...rest}
    />
  );
}

const WAYS = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
];

/** Adds tags to members, or removes them. */
export function TagDialog({ members, ...rest }: ManyMembersProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState('');
  const [way, setWay] = useState<'add' | 'remove'>('add');
  const tags = tagsIn(typed);
  const targets = members.flatMap((member) => {
    const changed = tags.filter((tag) => member.tags.includes(tag) === (way === 'remove'));
    return changed.length === 0 ? [] : [{ id: member.id, name: nameOf(member), changed }];
  });
  // All tags of a member are written at once: those that somebody added since stay.
  const change = async (id: string, changed: string[], by: typeof way, idempotencyKey?: string) => {
    const after = tagsAfter((await api.member(id).get()).tags, changed, by);
    if (after) await api.member(id).update({ tags: after, ...given({ idempotencyKey }) });
  };
  return (
    <ManyDialog
      title={`Tag ${plural(members.length, 'member')}`}
      action={way === 'add' ? 'Add tags' : 'Remove tags'}
      canSubmit={tags.length > 0}
      targets={targets}
      sending={() =>
        oneByOne(async ({ id, changed }: (typeof targets)[number], idempotencyKey) => {
          await change(id, changed, way, idempotencyKey);
          return () => change(id, changed, way === 'add' ? 'remove' : 'add');
        })
      }
      outcome={
        tags.length > 0 &&
        `${formatNumber(targets.length)} of ${plural(members.length, 'member')} will change.`
      }
      {...rest}
    >
      <Segments
        label="What to do"
        value={way}
        choices={WAYS}
        onChange={(value) => setWay(value === 'remove' ? 'remove' : 'add')}
      />
      <TextField
        label="Tags"
        name="tags"
        value={typed}
        onInput={setTyped}
        autoFocus
        placeholder="vip, helper"
        hint="Separated by commas. Up to 20 of at most 32 characters each."
      />
    </ManyDialog>
  );
}

interface ManyMembersProps {
  members: readonly Member[];
  onChanged: () => void;
  onClose: () => void;
}

/** Adds points to many members, or takes them. */
export function PointsDialog(props: ManyMembersProps & { isTaking: boolean }) {
  const { members, isTaking, ...rest } = props;
  const { api, realm } = useRealm();
  const kind = useKind();
  const { typed, field } = useForm({ tokens: '', description: '' });
  const tokens = parseAmount(typed.tokens);
  const refusalOf = isTaking ? spendRefusal : addRefusal;
  const refused = members.flatMap((member) => {
    const reason = tokens === null ? null : refusalOf(member, kind, realm, tokens);
    return reason === null ? [] : [{ id: member.id, name: nameOf(member), reason }];
  });
  const by = isTaking ? -(tokens ?? 0) : (tokens ?? 0);
  const count = members.length - refused.length;
  const [one, many] = isTaking ? ['gives', 'give'] : ['gets', 'get'];
  const verb = count === 1 ? one : many;
  const all = plural(members.length, 'member');
  return (
    <ManyDialog
      title={`${isTaking ? 'Take points from' : 'Add points to'} ${all}`}
      action={isTaking ? 'Take points' : 'Add points'}
      tone={isTaking ? 'danger' : 'primary'}
      canSubmit={tokens !== null}
      targets={members.map((member) => ({ id: member.id, name: nameOf(member), tokens: by }))}
      sending={() => awarding(api, { kind, description: typed.description.trim() })}
      outcome={
        tokens !== null && (
          <>
            <div>
              {plural(count, 'member')} {verb} <b>{amountOf(tokens, kind)}</b> each,{' '}
              {amountOf(BigInt(tokens) * BigInt(count), kind)} in all.
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
      <AmountField kind={kind} hint="For each of them." {...field('tokens')} />
      <DescriptionField {...field('description')} />
    </ManyDialog>
  );
}

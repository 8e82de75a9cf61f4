import type { Realm } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { View } from '../frame/View.tsx';
import { mayChange, type OpenRealm, useRealm } from '../state/realm.ts';
import { session } from '../state/session.ts';
import { fieldsOf, formOf, isValid, rateFault, type SettingsForm } from '../state/settings-form.ts';
import { toast } from '../state/toasts.ts';
import { keepUnsaved, unsavedOf } from '../state/unsaved.ts';
import { amountFault } from '../text/amounts.ts';
import { changedFields } from '../text/changed-fields.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { CheckField, TextField } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Id, Time } from '../ui/Values.tsx';
import { useIdempotencyKey } from '../ui/writes.ts';
import { RealmEnd } from './RealmEnd.tsx';

export function Settings() {
  const open = useRealm();
  const canEdit = mayChange(open.realm, 'admin');
  return (
    <View title="Settings">
      <div class="content narrow settings">
        {canEdit ? <Form open={open} /> : <ReadOnly open={open} />}
        <section>
          <h2>About</h2>
          <dl class="facts">
            <dt>Id</dt>
            <dd>
              <Id value={open.realm.id} full always />
            </dd>
            <dt>Created</dt>
            <dd>
              <Time at={open.realm.createdAt} />
            </dd>
          </dl>
        </section>
        {session.value?.isRoot && <RealmEnd open={open} />}
      </div>
    </View>
  );
}

const limitOf = (most: number | null): string => (most === null ? 'No limit' : formatNumber(most));

const rateOf = (limit: Realm['settings']['rateLimit']): string =>
  limit === null
    ? 'The service’s default'
    : `${formatNumber(limit.perSecond)} per second, ${formatNumber(limit.burst)} at once`;

const yesOrNo = (value: boolean): string => (value ? 'Yes' : 'No');

function ReadOnly({ open: { realm } }: { open: OpenRealm }) {
  const { settings } = realm;
  return (
    <section>
      {realm.archivedAt !== null && (
        <p>This realm is archived: everything can be read, and nothing changed.</p>
      )}
      <dl class="facts">
        <dt>Members may give points to each other</dt>
        <dd>{yesOrNo(settings.transfers)}</dd>
        <dt>Points for an unknown id enrol that member</dt>
        <dd>{yesOrNo(settings.autoEnroll)}</dd>
        <dt>Largest amount in one change</dt>
        <dd>{limitOf(settings.maxTokensPerRequest)}</dd>
        <dt>Requests per key</dt>
        <dd>{rateOf(settings.rateLimit)}</dd>
      </dl>
    </section>
  );
}

function useSettings({ api, realm, reload }: OpenRealm) {
  const [answer, setAnswer] = useState(realm);
  const saved = formOf(answer.updatedAt > realm.updatedAt ? answer : realm);
  const edits = unsavedOf(realm.id);
  const [saves, setSaves] = useState(0);
  const write = useIdempotencyKey();
  const form = { ...saved, ...edits };
  const changes = changedFields(saved, edits);
  const saving = useSubmit(async () => {
    const fields = fieldsOf(form, changes);
    const former = fieldsOf(saved, changedFields(form, saved));
    setAnswer(await api.update({ ...fields, ...write([saves, fields]) }));
    // What was typed since is still to be saved.
    keepUnsaved(realm.id, changedFields(form, unsavedOf(realm.id)));
    // To save the same once more is another change.
    setSaves(saves + 1);
    toast({ text: 'Settings saved', undo: () => api.update(former).then(reload) });
    reload();
  });
  const set = (more: Partial<SettingsForm>): void =>
    keepUnsaved(realm.id, changedFields(saved, { ...edits, ...more }));
  const discard = (): void => keepUnsaved(realm.id, {});
  return { form, set, saving, discard, hasChanges: Object.keys(changes).length > 0 };
}

function Form({ open }: { open: OpenRealm }) {
  const { form, set, saving, discard, hasChanges } = useSettings(open);
  return (
    <section>
      <TextField label="Name" name="name" value={form.name} onInput={(name) => set({ name })} />
      <CheckField
        label="Members may give points to each other"
        checked={form.transfers}
        onChange={(transfers) => set({ transfers })}
      />
      <CheckField
        label="Points for an unknown id enrol that member"
        hint="Otherwise such a call is refused."
        checked={form.autoEnroll}
        onChange={(autoEnroll) => set({ autoEnroll })}
      />
      <TextField
        label="Largest amount in one change"
        name="maxTokensPerRequest"
        class="number"
        inputMode="numeric"
        value={form.most}
        onInput={(most) => set({ most })}
        placeholder="No limit"
        hint={amountFault(form.most) ?? 'Protects against a bot with too many zeros.'}
      />
      <RateFields form={form} set={set} />
      <TextField
        label="Site where members sign with their wallets"
        name="siteUrl"
        value={form.siteUrl}
        onInput={(siteUrl) => set({ siteUrl })}
        placeholder="https://acme.example"
        hint="Wallets show its name and warn on any other site."
      />
      {saving.error && <ProblemNote error={saving.error} isChange />}
      <div class="row">
        <Button
          tone="primary"
          disabled={!isValid(form) || !hasChanges}
          busy={saving.busy}
          onClick={() => void saving.submit()}
        >
          Save
        </Button>
        {hasChanges && !saving.busy && (
          <Button tone="quiet" onClick={discard}>
            Discard
          </Button>
        )}
      </div>
    </section>
  );
}

type FormProps = { form: SettingsForm; set: (more: Partial<SettingsForm>) => void };

function RateFields({ form: { perSecond, burst }, set }: FormProps) {
  const isDefault = perSecond.trim() === '';
  return (
    <>
      <TextField
        label="Requests per second per key"
        name="perSecond"
        class="number"
        inputMode="numeric"
        value={perSecond}
        onInput={(rate) => set({ perSecond: rate, ...(rate.trim() === '' && { burst: '' }) })}
        placeholder="The service’s default"
        hint={rateFault(perSecond) ?? 'What exceeds it is refused, and can be repeated later.'}
      />
      {!isDefault && (
        <TextField
          label="Requests at once after a pause"
          name="burst"
          class="number"
          inputMode="numeric"
          value={burst}
          onInput={(most) => set({ burst: most })}
          placeholder="Twice as many"
          hint={rateFault(burst)}
        />
      )}
    </>
  );
}

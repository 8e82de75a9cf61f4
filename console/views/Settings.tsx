import type { Realm } from '@realmkeep/client';
import { View } from '../frame/View.tsx';
import { mayChange, type OpenRealm, useRealm } from '../state/realm.ts';
import { session } from '../state/session.ts';
import { formOf, isValid, rateFault, type SettingsForm } from '../state/settings-form.ts';
import { amountFault } from '../text/amounts.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Fact } from '../ui/Facts.tsx';
import { CheckField, fieldsFor, SelectField, TextField } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { submits } from '../ui/submit.ts';
import { Text } from '../ui/Text.tsx';
import { Id, Time } from '../ui/Values.tsx';
import { RealmEnd } from './RealmEnd.tsx';
import { IF_EMPTY, inWords, LABELS, LOOK_UPS } from './setting-words.ts';
import { type Clash, useSettings } from './use-settings.ts';

export function Settings() {
  const open = useRealm();
  const canEdit = mayChange(open.realm, 'admin');
  return (
    <View title="Settings" class="content narrow settings">
      {canEdit ? <Form open={open} /> : <ReadOnly open={open} />}
      <Card title="About">
        <dl class="facts">
          <Fact label="Id" value={<Id value={open.realm.id} full always />} />
          <Fact label="Created" value={<Time at={open.realm.createdAt} />} />
        </dl>
      </Card>
      {session.value?.isRoot && <RealmEnd open={open} />}
    </View>
  );
}

const rateOf = (limit: Realm['settings']['rateLimit']): string =>
  limit === null
    ? IF_EMPTY.perSecond
    : `${formatNumber(limit.perSecond)} per second, ${formatNumber(limit.burst)} at once`;

/** The others are numbers, and grouped as the reader groups them. */
const READ_ONLY = [
  'transfers',
  'autoEnroll',
  'unknownMembers',
  'discordPictures',
  'timeZone',
] as const;

function ReadOnly({ open: { realm } }: { open: OpenRealm }) {
  const { maxTokensPerRequest: most, rateLimit } = realm.settings;
  const form = formOf(realm);
  return (
    <Card title="Rules">
      {realm.archivedAt !== null && (
        <p>This realm is archived: everything can be read, and nothing changed.</p>
      )}
      <dl class="facts">
        {READ_ONLY.map((field) => (
          <Fact key={field} label={LABELS[field]} value={inWords(field, form[field])} />
        ))}
        <Fact label={LABELS.most} value={most === null ? IF_EMPTY.most : formatNumber(most)} />
        <Fact label="Requests per key" value={rateOf(rateLimit)} />
      </dl>
    </Card>
  );
}

function Form({ open }: { open: OpenRealm }) {
  const { form, set, saving, discard, hasChanges, clashes } = useSettings(open);
  const { field, choice } = fieldsFor(form, set);
  const canSave = isValid(form) && hasChanges && clashes.length === 0;
  return (
    <form noValidate onSubmit={submits(canSave && !saving.busy && saving.submit)}>
      <Card title="Community" note="What it is called, and by whose calendar it lives.">
        <TextField label={LABELS.name} {...field('name')} />
        <SelectField
          label={LABELS.timeZone}
          choices={zonesWith(form.timeZone)}
          hint="Limits and streaks of offers count by its calendar."
          {...choice('timeZone')}
        />
      </Card>
      <Card title="Members" note="What they may do, and who becomes one.">
        <MemberFields form={form} set={set} />
      </Card>
      <Card title="Limits" note="Against the mistakes of bots.">
        <TextField
          label={LABELS.most}
          class="number"
          inputMode="numeric"
          placeholder={IF_EMPTY.most}
          hint={amountFault(form.most) ?? 'Protects against a bot with too many zeros.'}
          {...field('most')}
        />
        <RateFields form={form} set={set} />
      </Card>
      <Card title="Wallets" note="Where members prove that a wallet is theirs.">
        <TextField
          label={LABELS.siteUrl}
          placeholder="https://acme.example"
          hint="Wallets show its name and warn on any other site."
          {...field('siteUrl')}
        />
      </Card>
      {saving.error && <ProblemNote error={saving.error} isChange />}
      {clashes.map((clash) => (
        <ClashNote key={clash.field} {...clash} />
      ))}
      <div class={hasChanges ? 'row save changed' : 'row save'}>
        <Button type="submit" tone="primary" disabled={!canSave} busy={saving.busy}>
          Save
        </Button>
        {hasChanges && !saving.busy && (
          <Button tone="quiet" onClick={discard}>
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}

/** Those that the browser knows; a service may know others. */
const zonesWith = (own: string) =>
  [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
    value: zone,
    label: zone,
  }));

/** Somebody else has saved the same field: whoever comes second decides, and sees both. */
function ClashNote({ field, theirs, mine, useTheirs, keepMine }: Clash) {
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <div class="stack tight">
        <p>Somebody else has changed “{LABELS[field]}” while you did.</p>
        <dl class="facts">
          <Fact label="Saved" value={<Text value={inWords(field, theirs)} />} />
          <Fact label="Yours" value={<Text value={inWords(field, mine)} />} />
        </dl>
        <div class="row wrap">
          <Button small onClick={useTheirs}>
            Use theirs
          </Button>
          <Button small onClick={keepMine}>
            Keep mine
          </Button>
        </div>
      </div>
    </div>
  );
}

type FormProps = { form: SettingsForm; set: (more: Partial<SettingsForm>) => void };

function MemberFields({ form, set }: FormProps) {
  const { choice, check } = fieldsFor(form, set);
  return (
    <>
      <CheckField label={LABELS.transfers} {...check('transfers')} />
      <CheckField
        label={LABELS.autoEnroll}
        hint="Otherwise such a call is refused."
        {...check('autoEnroll')}
      />
      <SelectField
        label={LABELS.unknownMembers}
        choices={LOOK_UPS}
        hint="Some bots ask about everybody, and expect a balance."
        {...choice('unknownMembers')}
      />
      <CheckField
        label={LABELS.discordPictures}
        hint="The service fetches them with the token of the app; browsers ask only the service."
        {...check('discordPictures')}
      />
    </>
  );
}

function RateFields({ form, set }: FormProps) {
  const { perSecond, burst } = form;
  const isDefault = perSecond.trim() === '';
  return (
    <>
      <TextField
        label={LABELS.perSecond}
        name="perSecond"
        class="number"
        inputMode="numeric"
        value={perSecond}
        onInput={(rate) => set({ perSecond: rate, ...(rate.trim() === '' && { burst: '' }) })}
        placeholder={IF_EMPTY.perSecond}
        hint={rateFault(perSecond) ?? 'Extra requests are refused; retry later.'}
      />
      {!isDefault && (
        <TextField
          label={LABELS.burst}
          class="number"
          inputMode="numeric"
          placeholder={IF_EMPTY.burst}
          hint={rateFault(burst)}
          {...fieldsFor(form, set).field('burst')}
        />
      )}
    </>
  );
}

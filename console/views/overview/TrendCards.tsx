import type { Activity, Kind } from '@realmkeep/client';
import type { ComponentChildren } from 'preact';
import { type Figure, formatNumber, formatPercent, formatSigned } from '../../text/format.ts';
import { type Compared, sumOf } from '../../text/period.ts';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Skeleton } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';
import { BigAmount } from '../../ui/Values.tsx';

export interface Period {
  now: Activity;
  /** As many days; null if the realm is too young to compare with them. */
  before: Activity | null;
}

interface CardsProps {
  period: Period | undefined;
  kind: Kind;
  /** "30 days" */
  span: string;
}

/** What became more or less since the period before. */
export function TrendCards({ period, kind, span }: CardsProps) {
  const of = (name: 'members' | 'activeMembers' | 'issued' | 'spent', figure: Figure = 0) => ({
    value: period && figure,
    values: period?.now.days.map((day) => Number(day[name])) ?? [],
  });
  const compare = (figure: (activity: Activity) => Figure) =>
    period?.before ? (
      <Change value={figure(period.now)} before={figure(period.before)} span={span} />
    ) : (
      <>in the last {span}</>
    );
  const inAll = (name: 'issued' | 'spent') => (activity: Activity) => sumOf(activity.days, name);
  const days = period?.now.days ?? [];
  const members = days.at(-1)?.members ?? 0;
  const joined = members - (period?.before?.days.at(-1)?.members ?? 0);
  return (
    <div class="figures">
      <Card label="Members" {...of('members', members)} isLevel>
        <b>{joined === 0 ? 'no change' : formatSigned(joined)}</b> in the last {span}
      </Card>
      <Card label="Active members" {...of('activeMembers', period?.now.activeMembers)}>
        {compare(({ activeMembers }) => activeMembers)}
      </Card>
      <Card label={`${kind.name} issued`} {...of('issued', sumOf(days, 'issued'))}>
        {compare(inAll('issued'))}
      </Card>
      <Card label={`${kind.name} spent`} {...of('spent', sumOf(days, 'spent'))}>
        {compare(inAll('spent'))}
      </Card>
    </div>
  );
}

/** On a phone half of the width is too narrow for more characters. */
const LONG = 12;

interface CardProps {
  label: string;
  value: Figure | undefined;
  values: number[];
  isLevel?: boolean;
  children: ComponentChildren;
}

function Card({ label, value, values, isLevel = false, children }: CardProps) {
  const isLong = formatNumber(value ?? 0).length > LONG;
  return (
    <section class={isLong ? 'card figure long' : 'card figure'} aria-label={label}>
      <h2>
        <Text value={label} />
      </h2>
      {value === undefined ? (
        <div class="big">
          <Skeleton width={96} />
        </div>
      ) : (
        <>
          <BigAmount value={value} />
          <div class="caption">{children}</div>
          <Sparkline values={values} label={`${label}, day by day`} isLevel={isLevel} />
        </>
      )}
    </section>
  );
}

/** By how much of what it was before. */
function Change({ value, before, span }: Compared & { span: string }) {
  const difference = BigInt(value) - BigInt(before);
  if (BigInt(before) === 0n) return <>none in the {span} before</>;
  const arrow = difference > 0n ? '↑' : '↓';
  const part = formatPercent(Number(difference) / Number(before));
  return (
    <span title={`${formatNumber(before)} in the ${span} before`}>
      <b>{difference === 0n ? 'no change' : `${arrow} ${part}`}</b> from {formatNumber(before)}
    </span>
  );
}

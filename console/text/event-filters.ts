import type { RealmEvent } from '@realmkeep/client';
import { parseAmount } from './amounts.ts';
import { DAY_MS } from './format.ts';

/** The filters of the activity, beside its group, as they are in its address. */
export const EVENT_FILTERS = ['member', 'actor', 'text', 'least', 'from', 'to'] as const;
export type EventFilters = Partial<Record<(typeof EVENT_FILTERS)[number], string>>;

export const hasEventFilters = (query: EventFilters): boolean =>
  EVENT_FILTERS.some((name) => (query[name] ?? '') !== '');

/** The instant at which a day of the address begins; NaN for none. */
const dayAt = (day = ''): number => Date.parse(`${day}T00:00:00Z`);

/** Where the days that are asked for end; null for now. */
export const endOf = ({ to }: EventFilters): number | null =>
  Number.isNaN(dayAt(to)) ? null : dayAt(to) + DAY_MS;

type Data = Record<string, unknown>;

const WHO = ['memberId', 'recipientId', 'counterpartyId'] as const;

/** Whether an event has what is asked for. */
export function passesFilters({ at, actor, data }: RealmEvent, filters: EventFilters): boolean {
  const { member = '', text = '', from } = filters;
  const said = data as Data;
  const least = parseAmount(filters.least ?? '');
  const end = endOf(filters);
  return (
    (member === '' || WHO.some((name) => said[name] === member)) &&
    (!filters.actor || actor.split('/')[0] === filters.actor) &&
    (least === null || Math.abs(Number(said.tokens ?? 0)) >= least) &&
    (text === '' || wordsOf(said).includes(text.toLowerCase())) &&
    !(Date.parse(at) < dayAt(from)) &&
    (end === null || Date.parse(at) < end)
  );
}

const wordsOf = ({ description, offerName, reference }: Data): string =>
  [description, offerName, reference].filter(Boolean).join('\n').toLowerCase();

/** Nothing before this one can pass: time only goes on. */
export const isBefore = ({ at }: RealmEvent, { from }: EventFilters): boolean =>
  Date.parse(at) < dayAt(from);

/** What a file of events has of each. */
export const EVENT_COLUMNS = [
  ...(['seq', 'at', 'type', 'actor', ...WHO, 'tokens'] as const),
  ...(['realmPointId', 'description', 'offerName', 'reference'] as const),
];

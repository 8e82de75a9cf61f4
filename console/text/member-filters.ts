import { readWhole } from './amounts.ts';
import { DAY_MS, formatNumber } from './format.ts';

/** The filters of members as they are in the address of the list, all as text. */
export const FILTERS = [
  'status',
  'tags',
  'wallet',
  'least',
  'most',
  'joinedFrom',
  'joinedTo',
  'activeFrom',
  'activeTo',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type MemberFilters = Partial<Record<FilterName, string>>;

/** What the service is asked for; without what makes no sense. */
export interface FilterFields {
  status?: 'active' | 'frozen';
  tags?: string;
  hasWallet?: boolean;
  minimumBalance?: number;
  maximumBalance?: number;
  createdFrom?: string;
  createdTo?: string;
  activeFrom?: string;
  activeTo?: string;
  realmPointId?: string;
}

/** A day of the address as the instant at which it begins, or the next one does; of UTC. */
function instant(day: string | undefined, after = 0): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(day ?? '') ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at + after * DAY_MS).toISOString();
}

/** Why a bound is no number; null if it is one, or nothing was typed. */
export function boundFault(typed = ''): string | null {
  const read = readWhole(typed);
  return typed.trim() !== '' && 'fault' in read ? read.fault : null;
}

const whole = (text: string | undefined): number | undefined => {
  const read = readWhole(text ?? '');
  return 'value' in read ? read.value : undefined;
};

export function filterFields(query: MemberFilters, kind: string): FilterFields {
  const { status, tags, wallet, least, most, joinedFrom, joinedTo, activeFrom, activeTo } = query;
  const fields = {
    status: status === 'active' || status === 'frozen' ? status : undefined,
    tags: tags || undefined,
    hasWallet: wallet === 'yes' ? true : wallet === 'no' ? false : undefined,
    minimumBalance: whole(least),
    maximumBalance: whole(most),
    createdFrom: instant(joinedFrom),
    createdTo: instant(joinedTo, 1),
    activeFrom: instant(activeFrom),
    activeTo: instant(activeTo, 1),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const hasBalance = fields.minimumBalance !== undefined || fields.maximumBalance !== undefined;
  return { ...Object.fromEntries(given), ...(hasBalance ? { realmPointId: kind } : {}) };
}

export const hasFilters = (query: MemberFilters): boolean =>
  FILTERS.some((name) => (query[name] ?? '') !== '');

/** Each filter that is set in words. */
export function filterWords(
  query: MemberFilters,
  unit: string,
): { name: FilterName; text: string }[] {
  const said: Record<FilterName, string> = {
    status: query.status === 'frozen' ? 'Frozen' : 'Active',
    tags: `Tags ${query.tags?.replaceAll(',', ', ')}`,
    wallet: query.wallet === 'yes' ? 'With a wallet' : 'Without a wallet',
    least: `${unit} from ${formatNumber(whole(query.least) ?? 0)}`,
    most: `${unit} up to ${formatNumber(whole(query.most) ?? 0)}`,
    joinedFrom: `Joined from ${query.joinedFrom}`,
    joinedTo: `Joined up to ${query.joinedTo}`,
    activeFrom: `Last active from ${query.activeFrom}`,
    activeTo: `Last active up to ${query.activeTo}`,
  };
  return FILTERS.filter((name) => query[name]).map((name) => ({ name, text: said[name] }));
}

/** The parts of the service's answers that the console shows. */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

export type Scope = 'read' | 'write' | 'admin';
export type Amounts = Record<string, number>;

/** Who is signed in, and what the key may do. */
export interface CurrentSession {
  id: string | null;
  isRoot: boolean;
  realmId: string | null;
  /** With the scopes that others imply. */
  scopes: Scope[];
  keyName: string | null;
  expiresAt: string | null;
}

export interface Session {
  id: string;
  isCurrent: boolean;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
  userAgent: string | null;
}

export interface Account {
  provider: string;
  id: string;
  username: string | null;
}

export interface Member {
  id: string;
  username: string | null;
  displayName: string | null;
  status: 'active' | 'frozen';
  balances: Amounts;
  held: Amounts;
  available: Amounts;
  accounts: Account[];
  wallets: string[];
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

export interface Kind {
  id: string;
  name: string;
  symbol: string | null;
  isDefault: boolean;
  isTransferable: boolean;
  minimumBalance: number;
  maximumBalance: number;
  archived: boolean;
}

export interface Transaction {
  transactionId: number;
  at: string;
  type: string;
  memberId: string;
  tokens: number;
  balance: number;
  counterpartyId: string | null;
  description: string | null;
  realmPointId: string;
  actor: string;
  reversalOf: number | null;
  reversedBy: number | null;
  reversedTokens: number;
}

export interface Hold {
  holdId: number;
  memberId: string;
  realmPointId: string;
  tokens: number;
  captured: number;
  remaining: number;
  status: 'open' | 'captured' | 'released' | 'expired';
  description: string | null;
  createdAt: string;
  expiresAt: string;
}

export interface Wallet {
  address: string;
  chain: string;
  primary: boolean;
  verified: boolean;
  verifiedAt: string | null;
  linkedAt: string;
}

export interface Holding {
  assetId: string;
  chain: string;
  symbol: string | null;
  balance: string | null;
  stale: boolean;
}

export interface Event {
  seq: number;
  type: string;
  at: string;
  actor: string;
  data: Record<string, unknown>;
}

export interface RealmSettings {
  autoEnroll: boolean;
  transfers: boolean;
  maxTokensPerRequest: number | null;
  rateLimit: { perSecond: number; burst: number } | null;
  siteUrl: string | null;
}

export interface Realm {
  id: string;
  name: string;
  settings: RealmSettings;
  createdAt: string;
  archivedAt: string | null;
}

export interface Key {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

export interface Standing {
  rank: number | null;
  id: string;
  username: string | null;
  displayName: string | null;
  balance: number;
  earned: number | null;
  tokens: number;
}

export interface Verification {
  id: string;
  status: 'queued' | 'running' | 'done' | 'failed';
  step: 'journal' | 'tables' | 'projections' | null;
  checked: number;
  total: number | null;
  result: {
    ok: boolean;
    transactions: number;
    records: number;
    members?: number;
    head?: string;
    fault?: { seq: number | null; memberId?: string; detail: string };
  } | null;
}

/** A refusal in the service's own words. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** What is wrong with which field, by its name in the request. */
  readonly faults: Map<string, string>;

  constructor(status: number, body: Partial<ProblemBody>) {
    super(body.detail ?? `The service answered with status ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.requestId ?? null;
    this.faults = new Map(
      (body.errors ?? []).map(({ pointer, detail }) => [pointer.replace(/^\//, ''), detail]),
    );
  }
}

interface ProblemBody {
  detail: string;
  code: string;
  requestId: string;
  errors: { pointer: string; detail: string }[];
}

/** The service could not be reached. */
export class Unreachable extends Error {
  constructor() {
    super('The service cannot be reached. Nothing was lost: try again in a moment.');
  }
}

/** The field that a refusal is about, where it is about one. */
const FIELDS: Record<string, string> = {
  'insufficient-points': 'tokens',
  'balance-limit': 'tokens',
  'too-many-tokens': 'tokens',
  'hold-exceeded': 'tokens',
  'recipient-not-found': 'recipientId',
  'self-transfer': 'recipientId',
  'member-exists': 'id',
  'realm-exists': 'id',
  'realm-point-exists': 'id',
  'wallet-taken': 'address',
};

/** A refusal at the fields of a form; empty if it concerns none of them. */
export function fieldOf(error: Error, fields: string[]): Map<string, string> {
  if (!(error instanceof Problem)) return new Map();
  const field = FIELDS[error.code];
  if (field !== undefined && fields.includes(field)) return new Map([[field, error.message]]);
  const found = [...error.faults].flatMap(([pointer, detail]): [string, string][] => {
    const name = fields.find((one) => pointer === one || pointer.startsWith(`${one}/`));
    return name ? [[name, `This ${detail}.`]] : [];
  });
  return found.length === error.faults.size ? new Map(found) : new Map();
}

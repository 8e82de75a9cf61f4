const SHOWN = 3;

/** The measured figures and the faults of a run. */
export class Findings {
  readonly #figures: [string, string][] = [];
  readonly #faults = new Map<string, { count: number; details: string[] }>();

  get isGood(): boolean {
    return this.#faults.size === 0;
  }

  figure(name: string, value: string | number): void {
    this.#figures.push([name, typeof value === 'number' ? value.toLocaleString('en') : value]);
  }

  /** The same fault may occur thousands of times: only the first few details are kept. */
  fault(what: string, detail = ''): void {
    const known = this.#faults.get(what) ?? { count: 0, details: [] };
    known.count += 1;
    if (detail !== '' && known.details.length < SHOWN) known.details.push(detail.slice(0, 400));
    this.#faults.set(what, known);
  }

  expect(condition: boolean, fault: string, detail = ''): void {
    if (!condition) this.fault(fault, detail);
  }

  /** Reports background work that fails as a fault. */
  guard(work: Promise<unknown>): Promise<void> {
    return work.then(
      () => undefined,
      (error: Error) => this.fault('the soak test itself failed', error.stack),
    );
  }

  faults(): string[] {
    return Array.from(this.#faults, ([what, { count, details }]) =>
      [`${what}${count > 1 ? ` (${count} times)` : ''}`, ...details].join('\n    '),
    );
  }

  text(): string {
    const width = Math.max(...this.#figures.map(([name]) => name.length));
    return [
      ...this.#figures.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
      this.isGood ? '  no faults' : '  FAULTS:',
      ...this.faults().map((fault) => `  - ${fault}`),
    ].join('\n');
  }
}

/** Formats counts as "200: 5,102, 422: 77", the most frequent first. */
export function counts(of: ReadonlyMap<string | number, number>): string {
  const all = [...of].toSorted(([, a], [, b]) => b - a);
  return all.map(([name, count]) => `${name}: ${count.toLocaleString('en')}`).join(', ') || 'none';
}

export const milliseconds = (value: number): string =>
  `${Math.round(value).toLocaleString('en')} ms`;

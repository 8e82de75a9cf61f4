import assert from 'node:assert/strict';

/** The body of a message, or of another response. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export type Response = any;

const EPHEMERAL = 64;
/** Discord waits 3 seconds for the first response; a busy machine may take longer. */
const DEADLINE_MS = 60_000;

/** One use of the app by a member: what Discord shows of it, and to whom. */
export class DiscordInteraction {
  readonly id: string;
  readonly token: string;
  readonly #sentAt = performance.now();
  readonly #settled = Promise.withResolvers<void>();
  deadlineMs = DEADLINE_MS;
  /** The first response, and when it came. */
  first: Response = null;
  answeredAfterMs = 0;
  /** What is shown now, and whether only the caller sees it. */
  original: Response = null;
  isPrivate = false;
  wasDeferred = false;
  followUps: Response[] = [];
  #awaitsFollowUp = false;

  constructor(id: string, token: string) {
    this.id = id;
    this.token = token;
  }

  get isExpired(): boolean {
    return !this.isAcknowledged && performance.now() - this.#sentAt > this.deadlineMs;
  }

  get isAcknowledged(): boolean {
    return this.first !== null;
  }

  /** When there is something to read. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  acknowledge(body: Response): void {
    this.first = body;
    this.answeredAfterMs = performance.now() - this.#sentAt;
    this.isPrivate = body.data?.flags === EPHEMERAL;
    this.wasDeferred = body.type === 5 || body.type === 6;
    if (this.wasDeferred) return;
    this.original = body.data ?? null;
    this.#settled.resolve();
  }

  editOriginal(body: Response): void {
    // What an edit leaves out stays as it was.
    this.original = { ...this.original, ...body };
    this.#settled.resolve();
  }

  deleteOriginal(): void {
    this.original = null;
    this.#awaitsFollowUp = true;
  }

  followUp(body: Response): void {
    // Right after a deferral, Discord edits the waiting message instead, in its visibility.
    if (this.first.type === 5 && this.original === null && !this.#awaitsFollowUp) {
      this.editOriginal(body);
      return;
    }
    this.followUps.push(body);
    if (this.original === null) {
      this.original = body;
      this.isPrivate = body.flags === EPHEMERAL;
    }
    this.#settled.resolve();
  }

  /** All that can be read in a message, the formats of Discord included. */
  static textOf(message: Response): string {
    const embeds = (message?.embeds ?? []).flatMap((embed: Response) => [
      embed.title,
      embed.description,
      ...(embed.fields ?? []).flatMap((field: Response) => [field.name, field.value]),
      embed.footer?.text,
    ]);
    return [message?.content, ...embeds].filter(Boolean).join('\n');
  }

  get text(): string {
    return DiscordInteraction.textOf(this.original);
  }

  get buttons(): Response[] {
    const rows = this.original?.components ?? [];
    return rows.flatMap((row: Response) => row.components);
  }

  /** The list to pick from. */
  get list(): Response {
    const found = this.buttons.find(({ type }) => type === 3);
    return found ?? assert.fail(`there is no list in: ${this.text}`);
  }

  /** The `custom_id` of the button with this label. */
  button(label: string): string {
    const found = this.buttons.find((one) => one.label === label);
    return found?.custom_id ?? assert.fail(`there is no button ${label} in: ${this.text}`);
  }
}

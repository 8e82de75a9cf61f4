import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Lets a program believe that it prints to a terminal. */
export const TERMINAL = {
  NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true',
};

/** A running `realmkeep`. */
export class Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    this.ended = once(child, 'close').then(([code, signal]) => {
      const { stdout, stderr } = this;
      return { code, signal, stdout, stderr };
    });
  }

  /** As Ctrl-C in a terminal: to the launcher and to what it launched. */
  signalGroup(signal: NodeJS.Signals): void {
    if (this.child.pid !== undefined) process.kill(-this.child.pid, signal);
  }

  kill(): void {
    try {
      this.signalGroup('SIGKILL');
    } catch {
      // There is no such group: it has ended, or there was no launcher.
      this.child.kill('SIGKILL');
    }
  }

  /** Waits until stdout says something that matches; fails if the program ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    let over: Ended | undefined;
    const end = this.ended.then((ended) => {
      over = ended;
    });
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match;
      if (over)
        throw new Error(`ended with ${over.code} without saying ${pattern}: ${this.stderr}`);
      await Promise.race([once(this.child.stdout, 'data'), end]);
    }
  }

  /** The first line of stdout, as the JSON that it is. */
  async firstObject(): Promise<Record<string, unknown>> {
    const [line] = await this.says(/^.*\n/);
    return JSON.parse(line);
  }
}

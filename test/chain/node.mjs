import { createHardhatRuntimeEnvironment } from 'hardhat/hre';

/** A local EVM chain on a free port. It prints its URL and exits with its parent process. */
const chainId = Number(process.argv[2]);
const local = { type: 'edr-simulated', chainId };
const environment = await createHardhatRuntimeEnvironment({ networks: { local } });
const server = await environment.network.createServer('local', '127.0.0.1', 0);
const { address, port } = await server.listen();
process.stdout.write(`http://${address}:${port}\n`);
process.stdin.on('end', () => process.exit()).resume();

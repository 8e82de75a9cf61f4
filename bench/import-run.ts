import { perform } from '../src/cli/main.ts';
import { answerLines } from './answering.ts';

/** Runs commands of the command line in this process, on the database that each line names. */
export interface ImportRequest {
  databaseUrl: string;
  args: string[];
}

/** The processor time of this process since its start, in microseconds. */
export interface ImportAnswer {
  output: string;
  processorTime: number;
}

if (import.meta.main) answerLines('ready', (line) => run(JSON.parse(line) as ImportRequest));

async function run({ databaseUrl, args }: ImportRequest): Promise<ImportAnswer> {
  process.env.DATABASE_URL = databaseUrl;
  let output = '';
  const add = (text: string) => {
    output += text;
  };
  const code = await perform(args, { out: add, err: add });
  if (code !== 0) throw new Error(output);
  const { user, system } = process.cpuUsage();
  return { output, processorTime: user + system };
}

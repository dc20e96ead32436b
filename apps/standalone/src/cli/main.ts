/** The program `cumulet`: the result goes to standard output, everything else to standard error. */
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './command-error.js';
import { runCumulet } from './run.js';

const interruption = new AbortController();
const interrupt = (): void => {
  // A second signal ends the process at once, without waiting for the undo.
  if (interruption.signal.aborted) process.exit(1);
  interruption.abort();
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

/** Reports output that nobody reads to the command, rather than by an uncaught exception. */
function print(output: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: Error) => {
      reject(new CommandError(`Cannot write the result: ${error.message}`));
    });
    process.stdout.write(output, (error) => {
      if (!error) resolve();
    });
  });
}

async function readInput(): Promise<string> {
  try {
    return await text(addAbortSignal(interruption.signal, process.stdin));
  } catch (error) {
    throw new CommandError(`Cannot read standard input: ${(error as Error).message}`);
  }
}

process.exitCode = await runCumulet(process.argv.slice(2), process.env, {
  readInput,
  print,
  say: (line) => process.stderr.write(`${line}\n`),
  interrupted: interruption.signal,
});

import { runAttach } from './run-attach.js';

process.exitCode = await runAttach(process.argv.slice(2), process.env).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

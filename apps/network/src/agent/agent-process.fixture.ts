/** The agent as a process. Its arguments are its settings: `CUMULET_HOST=there`. */
import { runAgent } from './run-agent.js';

const settings = process.argv.slice(2).map((argument): [string, string] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
});
await runAgent(Object.fromEntries(settings));
process.stdout.write('ready\n');

/** The agent as a process, or `leave` as first argument. The others are settings: `CUMULET_HOST=there`. */
import { runAgent, runLeave } from './run-agent.js';

const [first = '', ...rest] = process.argv.slice(2);
const isLeaving = first === 'leave';
const settings = (isLeaving ? rest : [first, ...rest]).map((argument): [string, string] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
});
const environment = Object.fromEntries(settings);
if (isLeaving) await runLeave(environment);
else {
  await runAgent(environment);
  process.stdout.write('ready\n');
}

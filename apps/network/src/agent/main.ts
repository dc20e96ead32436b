import { runAgent, runLeave } from './run-agent.js';

const [command] = process.argv.slice(2);
if (command === undefined) await runAgent(process.env);
else if (command === 'leave') await runLeave(process.env);
else throw new Error(`${command} is not a command; there is only leave`);

import { runAgent } from './run-agent.js';

await runAgent(process.env);

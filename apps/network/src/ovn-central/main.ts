import { askHealth, runCentral } from './run-central.js';

const [command] = process.argv.slice(2);
if (command === undefined) await runCentral(process.env);
else if (command === 'healthy') await askHealth(process.env);
else throw new Error(`${command} is not a command; there is only healthy`);

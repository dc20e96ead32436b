/**
 * OVN's central part as a process of another user: UID, COMMAND or nothing, settings. It becomes
 * that user itself, who may not be able to read this file.
 */
import { askHealth, runCentral } from './run-central.js';

const [uid, command, ...settings] = process.argv.slice(2);
process.setgroups?.([]);
process.setgid?.(Number(uid));
process.setuid?.(Number(uid));
const environment = Object.fromEntries(
  settings.map((argument): [string, string] => {
    const at = argument.indexOf('=');
    return [argument.slice(0, at), argument.slice(at + 1)];
  }),
);
if (command === 'healthy') await askHealth(environment);
else {
  await runCentral(environment);
  process.stdout.write('ready\n');
}

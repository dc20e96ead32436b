/** A host or an agent's container as a process. Its arguments: `host` or `attach <kind> <entry>`, and its settings. */
import { runAttach } from './attach/run-attach.js';
import { runHost } from './host/run-host.js';

const isSetting = (argument: string): boolean => /^[A-Z_]+=/.test(argument);
const given = process.argv.slice(2);
const settings = given.filter(isSetting).map((argument): [string, string] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
});
const env = Object.fromEntries(settings);
const [program, ...args] = given.filter((argument) => !isSetting(argument));
if (program === 'host') await runHost(env);
else process.exitCode = await runAttach(args, env);

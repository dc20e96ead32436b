/** The measured processes: started here, and ended with the measuring one. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Report } from './protocol.js';

const children: ChildProcess[] = [];

export interface Measured<T extends Report> {
  readonly child: ChildProcess;
  readonly facts: T;
}

/**
 * @param file beside this one
 * @param told as its first message, which may be secret: arguments can be seen by everybody
 */
export async function startProcess<T extends Report>(
  file: string,
  args: readonly string[] = [],
  told?: object,
): Promise<Measured<T>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...args]);
  children.push(child);
  if (told) child.send(told);
  const facts = await new Promise<T>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${String(code)}`)));
    child.once('message', (message: Report) =>
      message.kind === 'failure' ? reject(new Error(message.message)) : resolve(message as T),
    );
  });
  return { child, facts };
}

export function endProcesses(): void {
  for (const child of children.splice(0)) if (child.connected) child.disconnect();
}

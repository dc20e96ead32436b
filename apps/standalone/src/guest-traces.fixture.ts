/** What of guests this machine has, whatever the APIs say. */
import { execFile } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { commandLines } from '@cumulet/common/programs/command-lines';

const run = promisify(execFile);

/**
 * The devices of these ports in the switches' namespaces: lines of `ip link`. Others' do not count,
 * for other clouds may have guests here at the same time.
 */
export async function devicesOf(portIds: readonly string[]): Promise<string[]> {
  const names = portIds.map((id) => `: tap${id.slice(0, 11)}`);
  const { stdout } = await run('ip', ['netns', 'list']);
  const found: string[] = [];
  for (const namespace of stdout.split('\n').flatMap((line) => line.split(' ').slice(0, 1))) {
    if (namespace === '') continue;
    const links = await run('ip', ['-n', namespace, '-o', 'link', 'show']).catch(() => ({
      stdout: '',
    }));
    found.push(
      ...links.stdout.split('\n').filter((line) => names.some((name) => line.includes(name))),
    );
  }
  return found;
}

export interface GuestProcess {
  readonly command: string;
  /** QEMU works in the folder of its guest. */
  readonly folder: string;
}

/** Those of the guests with these ids. */
export async function processesOf(ids: readonly string[]): Promise<GuestProcess[]> {
  const found: GuestProcess[] = [];
  for (const [pid, line] of commandLines()) {
    const command = line.join('\0');
    if (!ids.some((id) => command.includes(id))) continue;
    found.push({ command, folder: await readlink(`/proc/${pid}/cwd`).catch(() => '') });
  }
  return found;
}

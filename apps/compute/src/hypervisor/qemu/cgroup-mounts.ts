/** Where the control groups of a process are ("cgroups(7)", "proc(5)"). Pure. */
import { join } from 'node:path';
import { CONTROLLERS, type Controller } from './cgroup-files.js';

interface Mount {
  readonly root: string;
  readonly path: string;
  readonly type: string;
  readonly options: readonly string[];
}

export interface CgroupFacts {
  /** The texts of `/proc/self/mountinfo` and of a process's `/proc/<pid>/cgroup`. */
  readonly mountinfo: string;
  readonly cgroup: string;
}

/** The folder of v2's hierarchy, and the process's in it. */
export function v2Of(facts: CgroupFacts): { mount: string; own: string } | undefined {
  const mount = mountsOf(facts.mountinfo).find(({ type }) => type === 'cgroup2');
  const path = pathOf(facts.cgroup, '');
  if (mount === undefined || path === undefined) return undefined;
  return { mount: mount.path, own: folderOf(mount, path) };
}

/** The process's folder in the hierarchy of each controller of v1; undefined unless it has both. */
export function v1Of(facts: CgroupFacts): Readonly<Record<Controller, string>> | undefined {
  const mounts = mountsOf(facts.mountinfo).filter(({ type }) => type === 'cgroup');
  const [cpu, memory] = CONTROLLERS.map((controller) => {
    const mount = mounts.find(({ options }) => options.includes(controller));
    const path = pathOf(facts.cgroup, controller);
    return mount && path !== undefined ? folderOf(mount, path) : undefined;
  });
  return cpu === undefined || memory === undefined ? undefined : { cpu, memory };
}

/** Of a container, the root of the mount is its own. */
function folderOf({ root, path: mount }: Mount, path: string): string {
  const inside = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
  return join(mount, inside === '/' ? '' : inside);
}

/** `4:cpu,cpuacct:/a/b`, and of v2 `0::/a/b`. */
function pathOf(cgroup: string, controller: string): string | undefined {
  for (const line of cgroup.split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (names?.split(',').includes(controller)) return path;
  }
  return undefined;
}

/** `36 35 98:0 /root /mount/point rw,noatime shared:1 - type source options` */
function mountsOf(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root, path] = before.split(' ');
    const [type, , options] = after.split(' ');
    if (root === undefined || path === undefined || type === undefined) return [];
    return [{ root, path, type, options: options?.split(',') ?? [] }];
  });
}

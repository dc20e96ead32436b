/** `cumulet bucket usage`: the storage that projects use in S3, by bucket. */
import type { Command, CommandScope } from '../command.js';
import { IdentitySession, RefusedError, type Named } from '../identity/identity-session.js';
import { tableOf } from './table.js';

export const bucketUsage: Command = {
  words: ['bucket', 'usage'],
  operands: [],
  summary: 'show how many objects and bytes projects and their buckets have',
  details: [
    'An administrator sees all projects that have buckets, everybody else their own. Each version of',
    'an object counts; parts of multipart uploads that are not complete do not.',
  ],
  options: {
    json: { type: 'boolean', about: 'print JSON instead of a table' },
  },
  prepare({ options }) {
    const isJson = options['json'] === true;
    return (scope) => run(isJson, scope);
  },
};

async function run(isJson: boolean, scope: CommandScope): Promise<void> {
  await IdentitySession.during(await scope.findActor(), async (identity) => {
    const usage = (await identity.read('s3', '/-/usage')) as { projects: readonly ProjectUsage[] };
    await scope.print(
      isJson
        ? `${JSON.stringify(usage, null, 2)}\n`
        : usageTable(usage.projects, await projectNames(identity)),
    );
  });
}

/** As far as the user may know them, by id. */
async function projectNames(identity: IdentitySession): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const path of ['/v3/auth/projects', '/v3/projects']) {
    try {
      const { projects } = (await identity.send({ path })) as { projects: readonly Named[] };
      for (const { id, name } of projects) names.set(id, name);
    } catch (error) {
      // Only administrators may list all projects.
      if (!(error instanceof RefusedError && error.status === 403)) throw error;
    }
  }
  return names;
}

interface Usage {
  readonly objects: number;
  readonly bytes: number;
}

/** As the S3 service answers it. */
interface ProjectUsage extends Usage {
  readonly project_id: string;
  readonly buckets: readonly (Usage & { readonly name: string })[];
}

const HEADING = ['PROJECT', 'BUCKET', 'OBJECTS', 'BYTES'];

/** @param names of projects, by id; the id stands for one that is not among them */
export function usageTable(
  projects: readonly ProjectUsage[],
  names: ReadonlyMap<string, string>,
): string {
  const rows = projects.flatMap((project) => {
    const name = names.get(project.project_id) ?? project.project_id;
    return [
      rowOf(name, '(all)', project),
      ...project.buckets.map((bucket) => rowOf(name, bucket.name, bucket)),
    ];
  });
  return tableOf([HEADING, ...rows], { numbersFrom: 2 });
}

function rowOf(project: string, bucket: string, { objects, bytes }: Usage): readonly string[] {
  return [project, bucket, String(objects), String(bytes)];
}

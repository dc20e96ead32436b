/** Usage of storage as a table for people. Pure. */
import { tableOf } from './table.js';

interface Usage {
  readonly objects: number;
  readonly bytes: number;
}

/** As the S3 service answers it. */
export interface ProjectUsage extends Usage {
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

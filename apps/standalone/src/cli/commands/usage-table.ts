/** Usage of storage as a table for people. Pure. */

interface Usage {
  readonly objects: number;
  readonly bytes: number;
}

/** As the S3 service answers it. */
export interface ProjectUsage extends Usage {
  readonly project_id: string;
  readonly buckets: readonly (Usage & { readonly name: string })[];
}

type Row = readonly [string, string, string, string];

const HEADING: Row = ['PROJECT', 'BUCKET', 'OBJECTS', 'BYTES'];

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
  const table = [HEADING, ...rows];
  const widths = HEADING.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table.map((row) => `${lineOf(row, widths)}\n`).join('');
}

function rowOf(project: string, bucket: string, { objects, bytes }: Usage): Row {
  return [project, bucket, String(objects), String(bytes)];
}

/** Numbers stand to the right. */
function lineOf(row: Row, widths: readonly number[]): string {
  const cells = row.map((cell, at) => {
    const width = widths[at] ?? 0;
    return at < 2 ? cell.padEnd(width) : cell.padStart(width);
  });
  return cells.join('  ');
}

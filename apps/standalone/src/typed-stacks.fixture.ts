/** Resources of stacks as a table: what each is made with, and what one update after another changes. */
import type { JsonObject } from '@cumulet/orchestration/json/json';

export interface TypedResource {
  readonly type: string;
  readonly properties?: JsonObject;
  /** What one update after another changes. */
  readonly changes?: readonly JsonObject[];
  readonly depends_on?: string;
}

export type Resources = Readonly<Record<string, TypedResource>>;

export const ref = (name: string): JsonObject => ({ get_resource: name });
export const attr = (...path: readonly (string | number)[]): JsonObject => ({ get_attr: path });
export const rename = (name: string): JsonObject => ({ name: `typed-${name}` });

/** After so many updates. */
export function stackOf(all: Resources, updates: number): string {
  const entries = Object.entries(all).map(([name, { type, properties, changes = [], ...rest }]) => [
    name,
    {
      type,
      ...rest,
      properties: Object.assign({}, properties, ...changes.slice(0, updates)) as JsonObject,
    },
  ]);
  return templateOf(Object.fromEntries(entries) as JsonObject);
}

export function updatesOf(all: Resources): number {
  return Math.max(...Object.values(all).map(({ changes = [] }) => changes.length));
}

export function templateOf(resources: JsonObject | Resources): string {
  return JSON.stringify({ heat_template_version: '2021-04-16', resources });
}

/** The parts of a HOT template. Public source: Heat template guide, "Intrinsic functions". */

export interface Resource {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly depends_on?: readonly string[];
}

export type Resources = Readonly<Record<string, Resource>>;

export interface Hot {
  readonly heat_template_version: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, object>>;
  readonly resources: Resources;
  readonly outputs: Readonly<Record<string, { readonly value: unknown }>>;
}

export function getResource(name: string): object {
  return { get_resource: name };
}

export function getAttr(resource: string, ...path: readonly (string | number)[]): object {
  return { get_attr: [resource, ...path] };
}

export function getParam(...path: readonly string[]): object {
  return { get_param: path };
}

import type { OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const METHODS = ['get', 'head', 'put', 'post', 'patch', 'delete'] as const;

/**
 * The document with every parameter of a path declared: those too that a handler takes all at once,
 * or leaves to a guard, of which Nest knows nothing.
 */
export function withPathParameters(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => [path, declared(path, item)]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function declared(path: string, item: PathItem): PathItem {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [[method, completed(operation, names)]] : [];
  });
  return { ...item, ...(Object.fromEntries(operations) as PathItem) };
}

function completed(operation: Operation, names: readonly string[]): Operation {
  const { parameters = [] } = operation;
  const isKnown = (name: string): boolean =>
    parameters.some((one) => 'in' in one && one.in === 'path' && one.name === name);
  const missing = names
    .filter((name) => !isKnown(name))
    .map((name): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return missing.length === 0
    ? operation
    : { ...operation, parameters: [...missing, ...parameters] };
}

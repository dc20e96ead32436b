import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/**
 * Circles among the sources of a workspace, imports of types included: ESLint's own rule does not
 * see those. Workspaces cannot form one, since npm orders them.
 * @param {string} folder of a workspace's sources
 * @returns {string[][]} the files of each circle
 */
export function importCycles(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
  const graph = new Map(files.map((file) => [file, importsOf(file)]));
  return stronglyConnected(graph).filter((circle) => circle.length > 1);
}

function importsOf(file) {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolve(dirname(file), name).replace(/\.js$/, '.ts'))
    .filter((path) => existsSync(path));
}

/** Tarjan's algorithm. */
function stronglyConnected(graph) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const components = [];
  const visit = (node) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
    }
    if (lowest.get(node) === order.get(node))
      components.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return components;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Circles among the sources of a workspace, imports of types included: the linter's rule does not
 * see those. Workspaces cannot form one, since npm orders them.
 * @param {string} folder of a workspace's sources
 * @returns {string[][]} the files of each circle
 */
export function importCycles(folder) {
  const graph = new Map(sourcesIn(folder).map((file) => [file, importsOf(file)]));
  return stronglyConnected(graph).filter((circle) => circle.length > 1);
}

/**
 * Folders that import each other in a circle, so that none stands on a floor below another: the first
 * level below the sources, where a file beside them is a room of its own. Specs, fixtures and migrations
 * stand on all floors.
 * @param {string} folder of a workspace's sources
 * @returns {string[][]} the folders of each circle
 */
export function folderCycles(folder) {
  const room = (file) => relative(folder, file).split(sep)[0];
  const graph = new Map();
  for (const file of sourcesIn(folder).filter((name) => !STANDS_ANYWHERE.test(name))) {
    const from = room(file);
    const to = importsOf(file).map(room);
    graph.set(from, new Set([...(graph.get(from) ?? []), ...to.filter((one) => one !== from)]));
  }
  return stronglyConnected(graph).filter((circle) => circle.length > 1);
}

const STANDS_ANYWHERE = /\.(spec|fixture|migration|d)\.ts$|\/migrations\//;

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** Imports and exports of any form, of files: the formatter sees to the quotes. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

function importsOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(IMPORTED)]
    .map(([, name]) => resolve(dirname(file), name).replace(/\.js$/, '.ts'))
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

/** Relative links of the repository's Markdown pages, and paths of pages that comments name. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Folders that hold nothing of ours, or data of other programs. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage', 'recorded', 'recorded-folders']);

/**
 * @param {string} root of the repository
 * @returns {string[]} `file: target` of each link that leads to no file, or to no heading of it
 */
export function brokenLinks(root) {
  const files = [...filesIn(root)];
  const broken = (file, target, base) => {
    const [path, anchor] = target.split('#');
    const page = path === '' ? file : join(base, decodeURIComponent(path));
    if (!existsSync(page)) return true;
    if (!anchor || !page.endsWith('.md')) return false;
    return statSync(page).isDirectory() || !anchorsOf(readFileSync(page, 'utf8')).has(anchor);
  };
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const bad = file.endsWith('.md')
      ? linksOf(text).filter((target) => broken(file, target, dirname(file)))
      : pagesNamedIn(text).filter((target) => {
          return homes(root, file).every((base) => broken(file, target, base));
        });
    return bad.map((target) => `${relative(root, file)}: ${target}`);
  });
}

/** @returns {string[]} targets of relative links, code apart */
export function linksOf(markdown) {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** @returns {Set<string>} the anchors that GitHub gives to the headings */
export function anchorsOf(markdown) {
  const anchors = new Set();
  for (const [, heading] of withoutFences(markdown).matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutFences(markdown) {
  return markdown.replace(/^( *)(```|~~~).*?^\1\2/gms, '');
}

/** Pages that a comment names by their path, with an anchor or without. */
function pagesNamedIn(text) {
  const named = text.matchAll(
    /(?<![\w/.-])(?:(?:apps|packages)\/[\w-]+\/)?docs\/[\w./-]+\.md(?:#[\w-]+)?/g,
  );
  return [...named].map(([target]) => target);
}

/** A path in a comment begins at the root or at the workspace. */
function homes(root, file) {
  const [parent, name] = relative(root, file).split('/');
  return [root, join(root, parent, name ?? '')];
}

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || PASSED_OVER.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (/\.(md|ts|mjs|js|yml|sh|go)$/.test(entry.name)) yield path;
  }
}

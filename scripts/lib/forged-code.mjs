import { dirname, relative, sep } from 'node:path';
import { API, ObjectFlags } from 'typescript/unstable/sync';
import {
  isAsExpression,
  isCallExpression,
  isIdentifier,
  isTypeAssertion,
  isTypePredicateNode,
} from 'typescript/unstable/ast/is';
import { mayWrite } from './languages.mjs';

/** TypeScript's own name of the property that only `Code` has. */
const BRAND = '__@codeLanguage@';

/** Casts beyond this depth of members are not worth the time. */
const MAX_DEPTH = 3;

/**
 * Code in a foreign language that no module of the language made: text that became it by a cast, a type
 * predicate, or a generic that asserts. The rules of the linter that are our own see no types.
 * @param {string} config the path of a tsconfig.json: the sources below its folder are judged
 * @param {readonly import('./languages.mjs').Language[]} languages
 * @returns {string[]} one line for each place and language
 */
export function forgedCode(config, languages) {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    return forgedIn(project, dirname(config), languages);
  } finally {
    api.close();
  }
}

function forgedIn({ program, checker }, root, languages) {
  const suspects = suspectsIn(program, root);
  const brandsOf = brandsBy(checker);
  const types = checker.getTypeAtLocation(suspects.map(({ made }) => made));
  return suspects.flatMap(({ node, given }, at) => {
    const made = brandsOf(types[at]);
    if (made.size === 0) return [];
    if (isCallExpression(node) && !isAsserted(node, checker)) return [];
    const known = given ? brandsOf(checker.getTypeAtLocation(given)) : new Set();
    const file = node.getSourceFile();
    const path = relative(root, file.fileName).replaceAll(sep, '/');
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const own = languages.filter((one) => mayWrite(one, path)).flatMap(({ brands }) => brands);
    return [...made]
      .filter((language) => !own.includes(language) && !known.has(language))
      .map((language) => `${path}:${line}: only the modules of ${language} make its code`);
  });
}

/**
 * Where code may be forged: `made` has the type, and `given` is the value that it is said of.
 * To ask for the type of every call takes as long as the compiler does, so a call has to name a type or be
 * of a function with the name of one that asserts.
 */
function suspectsIn(program, root) {
  const suspects = [];
  const calls = [];
  const asserting = new Set();
  const visit = (node, isOwn) => {
    if (asserts(node)) asserting.add(nameOf(node));
    if (isOwn && isCallExpression(node)) calls.push(node);
    // `as const` names no type.
    else if (isOwn && isCast(node) && node.type.typeName?.text !== 'const')
      suspects.push({ node, made: node.type, given: node.expression });
    else if (isOwn && isTypePredicateNode(node) && node.type)
      suspects.push({ node, made: node.type });
    node.forEachChild((child) => visit(child, isOwn));
  };
  for (const name of program.getSourceFileNames())
    visit(program.getSourceFile(name), name.startsWith(root) && !name.includes('/node_modules/'));
  const isSuspect = ({ typeArguments, expression }) =>
    typeArguments !== undefined || asserting.has(expression.name?.text ?? expression.text);
  return [...suspects, ...calls.filter(isSuspect).map((node) => ({ node, made: node }))];
}

function isCast(node) {
  return isAsExpression(node) || isTypeAssertion(node);
}

/** Whether a call's result has a type that nothing but an assertion in the function can give it. */
function isAsserted(call, checker) {
  const declaration = checker.getResolvedSignature(call)?.declaration?.resolve();
  return declaration !== undefined && asserts(declaration);
}

/** Whether a result of a generic's type can come from nowhere but an assertion in it. */
function asserts({ type, typeParameters, parameters }) {
  if (type === undefined || typeParameters === undefined || parameters === undefined) return false;
  const mentions = (node, name) =>
    isIdentifier(node) ? node.text === name : node.forEachChild((one) => mentions(one, name));
  return typeParameters.some(({ name: { text } }) => {
    const comesIn = parameters.some((one) => one.type && mentions(one.type, text));
    return mentions(type, text) && !comesIn;
  });
}

/** The name of a function, or of what holds it. */
function nameOf(node) {
  return node === undefined ? undefined : (node.name?.text ?? nameOf(node.parent));
}

/** @returns the languages whose code is in values of a type */
function brandsBy(checker) {
  const members = new Map();
  const membersOf = (type) => {
    if (!members.has(type.id)) members.set(type.id, readMembers(checker, type));
    return members.get(type.id);
  };
  const found = new Map();
  return (type) => {
    if (!found.has(type.id)) found.set(type.id, visited(type, membersOf));
    return found.get(type.id);
  };
}

function visited(type, membersOf) {
  const brands = new Set();
  const seen = new Set();
  const visit = (one, depth) => {
    if (seen.has(one.id) || depth > MAX_DEPTH) return;
    seen.add(one.id);
    if (one.isUnionType() || one.isIntersectionType())
      return one.getTypes().forEach((part) => visit(part, depth));
    if (!one.isObjectType()) return;
    const members = membersOf(one);
    members.brands.forEach((brand) => brands.add(brand));
    members.types.forEach((member) => visit(member, depth + 1));
  };
  visit(type, 0);
  return brands;
}

/** The types of an object's members, and its brands. */
function readMembers(checker, type) {
  const types = type.isTypeReference() ? [...checker.getTypeArguments(type)] : [];
  const brands = [];
  const properties = hasOwnProperties(type) ? checker.getPropertiesOfType(type) : [];
  const valueTypes = properties.length > 0 ? checker.getTypeOfSymbol(properties) : [];
  properties.forEach(({ escapedName }, at) => {
    const value = valueTypes[at];
    if (!escapedName.startsWith(BRAND)) types.push(value);
    else
      for (const part of value.isUnionType() ? value.getTypes() : [value])
        brands.push(part.value ?? 'a language');
  });
  return { types, brands };
}

/** Classes of the platform and of packages have no code of ours in them, but in type arguments. */
function hasOwnProperties(type) {
  // `Partial<Row>` is declared there too, and has what the row has.
  if (type.objectFlags & ObjectFlags.Mapped) return true;
  return !/\.d\.[cm]?ts$/.test(type.getSymbol()?.declarations[0]?.path ?? '');
}

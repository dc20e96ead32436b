/**
 * The rules of ESLint that keep code in foreign languages to the modules that write it
 * (packages/common/src/languages/code.ts).
 *
 * Both take the table of languages: `modules` are files, or folders that end in `/`, from the root
 * of the repository; `brands` are the languages that these may brand; `template`, where the syntax
 * of the language can be told, is what a text with values in it looks like there, `${}` standing
 * for each value.
 * @typedef {{ modules: readonly string[], brands: readonly string[], template?: RegExp }} Language
 */
import { relative, sep } from 'node:path';
import ts from 'typescript';

/** TypeScript's own name of the property that only `Code` has. */
const BRAND = '__@codeLanguage@';

/** Casts beyond this depth of members are not worth the linter's time. */
const MAX_DEPTH = 3;

const schema = [{ type: 'array', items: { type: 'object' } }];

/** No text becomes a language's code by a cast, a type predicate, or a generic that asserts. */
export const noForgedCode = {
  meta: {
    type: 'problem',
    schema,
    messages: {
      forged: 'Only the modules of {{language}} make its code (LANGUAGES in eslint.config.js).',
    },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap: nodes } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const own = new Set(languagesOf(context).flatMap(({ brands }) => brands));
    const typeOf = (node) => checker.getTypeAtLocation(nodes.get(node));

    const report = (node, made, given = new Set()) => {
      for (const language of made)
        if (!own.has(language) && !given.has(language))
          context.report({ node, messageId: 'forged', data: { language } });
    };
    const cast = (node) => {
      const made = brandsOf(checker, typeOf(node));
      if (made.size > 0) report(node, made, brandsOf(checker, typeOf(node.expression)));
    };
    return {
      // `as const` names no type.
      'TSAsExpression:not([typeAnnotation.typeName.name="const"])': cast,
      TSTypeAssertion: cast,
      TSTypePredicate(node) {
        const asserted = node.typeAnnotation?.typeAnnotation;
        if (asserted) report(node, brandsOf(checker, typeOf(asserted)));
      },
      CallExpression(node) {
        const declaration = checker.getResolvedSignature(nodes.get(node))?.declaration;
        if (declaration?.typeParameters && asserts(declaration))
          report(node, brandsOf(checker, typeOf(node)));
      },
    };
  },
};

/** No text is put together in a language outside of its modules, as far as its syntax tells. */
export const codeInItsModule = {
  meta: {
    type: 'problem',
    schema,
    messages: {
      elsewhere: 'This looks like {{language}}, which {{modules}} writes: add to it there.',
    },
  },
  create(context) {
    const own = new Set(languagesOf(context));
    const others = context.options[0].filter((one) => one.template && !own.has(one));
    const judge = (node, text) => {
      const found = others.find(({ template }) => template.test(text));
      if (found === undefined) return;
      const data = { language: found.brands.join(', '), modules: found.modules.join(', ') };
      context.report({ node, messageId: 'elsewhere', data });
    };
    return {
      TemplateLiteral(node) {
        // A tag of the language's module types each value.
        const isTagged =
          node.parent.type === 'TaggedTemplateExpression' && node.parent.quasi === node;
        if (node.expressions.length > 0 && (!isTagged || isRaw(node.parent.tag)))
          judge(node, textOf(node));
      },
      'BinaryExpression[operator="+"]'(node) {
        if (node.parent.type !== 'BinaryExpression' || node.parent.operator !== '+')
          judge(node, textOf(node));
      },
    };
  },
};

/** `String.raw` types nothing. */
function isRaw(tag) {
  return tag.type === 'MemberExpression' && tag.property.name === 'raw';
}

/** @returns {readonly Language[]} those that the file which is linted may write */
function languagesOf({ cwd, filename, options }) {
  const path = relative(cwd, filename).replaceAll(sep, '/');
  return options[0].filter(({ modules }) =>
    modules.some((module) => (module.endsWith('/') ? path.startsWith(module) : path === module)),
  );
}

/** @type {WeakMap<ts.Type, Set<string>>} */
const judged = new WeakMap();

/** @returns {Set<string>} the languages whose code is in values of this type */
function brandsOf(checker, type) {
  const known = judged.get(type);
  if (known) return known;
  const found = new Set();
  judged.set(type, found);
  const seen = new Set();
  const visit = (one, depth) => {
    if (seen.has(one) || depth > MAX_DEPTH) return;
    seen.add(one);
    if (one.isUnionOrIntersection()) return one.types.forEach((part) => visit(part, depth));
    if (!(one.flags & ts.TypeFlags.Object)) return;
    if (one.objectFlags & ts.ObjectFlags.Reference)
      checker.getTypeArguments(one).forEach((argument) => visit(argument, depth + 1));
    for (const property of ownProperties(one)) {
      const valueType = checker.getTypeOfSymbol(property);
      if (!String(property.escapedName).startsWith(BRAND)) visit(valueType, depth + 1);
      else for (const part of valueType.types ?? [valueType]) found.add(part.value ?? 'a language');
    }
  };
  visit(type, 0);
  return found;
}

/** Classes of the platform and of packages have no code of ours in them, but in type arguments. */
function ownProperties(type) {
  // `Partial<Row>` is declared there too, and has what the row has.
  if (type.objectFlags & ts.ObjectFlags.Mapped) return type.getProperties();
  const declared = type.symbol?.declarations?.[0]?.getSourceFile();
  return declared?.isDeclarationFile ? [] : type.getProperties();
}

/** Whether a result of a generic's type can come from nowhere but an assertion in it. */
function asserts({ type, typeParameters, parameters }) {
  if (type === undefined) return false;
  const mentions = (node, name) =>
    ts.isIdentifier(node)
      ? node.text === name
      : ts.forEachChild(node, (one) => mentions(one, name));
  return typeParameters.some(({ name: { text } }) => {
    const comesIn = parameters.some((one) => one.type && mentions(one.type, text));
    return mentions(type, text) && !comesIn;
  });
}

/** A text's fixed parts, with `${}` for each value. */
function textOf(node) {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked).join('${}');
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return textOf(node.left) + textOf(node.right);
  return '${}';
}

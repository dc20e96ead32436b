/** The rules of the linter that are our own. They see no types: `forgedCode` is for what needs them. */
import { relative, sep } from 'node:path';
import { LANGUAGES, mayWrite } from './languages.mjs';

/** Reports each node that a selector finds, as ESLint's rule of this name does; oxlint has none. */
export const noRestrictedSyntax = {
  meta: { type: 'problem', schema: { type: 'array', items: { type: 'object' } } },
  create(context) {
    const reports = context.options.map(({ selector, message }) => [
      selector,
      (node) => context.report({ node, message }),
    ]);
    return Object.fromEntries(reports);
  },
};

/**
 * No text is put together in a language outside of its modules, as far as its syntax tells.
 * @param {readonly import('./languages.mjs').Language[]} languages
 */
export const codeInItsModule = (languages) => ({
  meta: {
    type: 'problem',
    messages: {
      elsewhere: 'This looks like {{language}}, which {{modules}} writes: add to it there.',
    },
  },
  create(context) {
    const path = relative(context.cwd, context.filename).replaceAll(sep, '/');
    const others = languages.filter((one) => one.template && !mayWrite(one, path));
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
});

/** `String.raw` types nothing. */
function isRaw(tag) {
  return tag.type === 'MemberExpression' && tag.property.name === 'raw';
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

export default {
  meta: { name: 'cumulet' },
  rules: {
    'code-in-its-module': codeInItsModule(LANGUAGES),
    'no-restricted-syntax': noRestrictedSyntax,
  },
};

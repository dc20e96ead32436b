/**
 * The linter's rules (oxlint; those that need types by tsgolint). All are named: none comes by a preset, so that a
 * newer linter finds no more than before.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;

/** Every app but the one that runs them all together is a service. */
const services = readdirSync(join(root, 'apps')).filter((name) => name !== 'standalone');

/** Forbids imports from these workspaces. */
function banned(names, message) {
  const group = names.map((name) => `@cumulet/${name}/*`);
  return { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] };
}

/** A service is reached over HTTP through packages/clients, never by importing its code. */
function serviceBoundary(service) {
  const others = services.filter((other) => other !== service);
  const message = 'Services talk over HTTP alone: use packages/clients.';
  return { files: [`apps/${service}/**/*.ts`], rules: banned([...others, 'standalone'], message) };
}

/** What spreads a literal into another says no more than the other with its members in it. */
const SPREAD_LITERALS = ['ObjectExpression', 'ArrayExpression'].map((literal) => ({
  selector: `:matches(SpreadElement > ${literal}, SpreadElement > TSAsExpression > ${literal})`,
  message: 'Write the members themselves.',
}));

const SETTINGS_IN_CONFIG = {
  object: 'process',
  property: 'env',
  message: 'Settings are read in config.ts alone (packages/common/config).',
};

/** Numbers of templates are more than JavaScript's JSON knows: it writes 1.0 as 1, and throws at a bigint. */
const EXACT_JSON = [
  { object: 'JSON', property: 'parse', message: 'Use parseExact (template/exact-json.ts).' },
  {
    object: 'JSON',
    property: 'stringify',
    message: 'Use stringifyExact (template/exact-json.ts).',
  },
];

/** Keys of maps come from clients: what `in` finds may be a member of every object. */
const IN_WITH_A_VARIABLE = {
  selector: 'BinaryExpression[operator="in"]:not([left.type=/^(Literal|PrivateIdentifier)$/])',
  message: 'Use Object.hasOwn: every object has a constructor, and more that `in` would find.',
};

/**
 * Files with decorators: the compiler writes the types of what they decorate into the code
 * (`emitDecoratorMetadata`), so that what is imported only as a type may have to be there as a value.
 */
const decorated = ['apps', 'packages', 'bench', 'conformance']
  .flatMap((folder) => filesIn(folder).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith('.ts') && !/\/(node_modules|dist)\//.test(name))
  .filter((name) => /^\s*@\w+\(/m.test(readFileSync(join(root, name), 'utf8')));

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true });
}

/** Turns rules on as they are. */
const on = (names) => Object.fromEntries(names.map((name) => [name, 'error']));

/** ESLint's recommended rules. */
const RECOMMENDED = on([
  'for-direction',
  'no-async-promise-executor',
  'no-case-declarations',
  'no-compare-neg-zero',
  'no-cond-assign',
  'no-constant-binary-expression',
  'no-constant-condition',
  'no-control-regex',
  'no-debugger',
  'no-delete-var',
  'no-dupe-else-if',
  'no-duplicate-case',
  'no-empty',
  'no-empty-character-class',
  'no-empty-pattern',
  'no-empty-static-block',
  'no-ex-assign',
  'no-extra-boolean-cast',
  'no-fallthrough',
  'no-global-assign',
  'no-invalid-regexp',
  'no-irregular-whitespace',
  'no-loss-of-precision',
  'no-misleading-character-class',
  'no-nonoctal-decimal-escape',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-self-assign',
  'no-shadow-restricted-names',
  'no-sparse-arrays',
  'no-unassigned-vars',
  'no-unexpected-multiline',
  'no-unsafe-finally',
  'no-unsafe-optional-chaining',
  'no-unused-labels',
  'no-unused-private-class-members',
  'no-unused-vars',
  'no-useless-assignment',
  'no-useless-backreference',
  'no-useless-catch',
  'no-useless-escape',
  'preserve-caught-error',
  'require-yield',
  'use-isnan',
  'valid-typeof',
]);

/** Those of them that TypeScript's compiler holds. */
const NOT_COMPILED = on([
  'constructor-super',
  'getter-return',
  'no-class-assign',
  'no-const-assign',
  'no-dupe-class-members',
  'no-dupe-keys',
  'no-func-assign',
  'no-import-assign',
  'no-new-native-nonconstructor',
  'no-obj-calls',
  'no-redeclare',
  'no-setter-return',
  'no-this-before-super',
  'no-undef',
  'no-unreachable',
  'no-unsafe-negation',
  'no-with',
]);

/** What typescript-eslint calls `strict-type-checked`. */
const STRICT = on([
  'no-array-constructor',
  'no-unused-expressions',
  'no-useless-constructor',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'typescript/await-thenable',
  'typescript/no-array-delete',
  'typescript/no-base-to-string',
  'typescript/no-deprecated',
  'typescript/no-duplicate-enum-values',
  'typescript/no-duplicate-type-constituents',
  'typescript/no-dynamic-delete',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-extra-non-null-assertion',
  'typescript/no-floating-promises',
  'typescript/no-for-in-array',
  'typescript/no-generated-empty-object-type',
  'typescript/no-implied-eval',
  'typescript/no-invalid-void-type',
  'typescript/no-meaningless-void-operator',
  'typescript/no-misused-new',
  'typescript/no-misused-promises',
  'typescript/no-misused-spread',
  'typescript/no-mixed-enums',
  'typescript/no-namespace',
  'typescript/no-non-null-asserted-nullish-coalescing',
  'typescript/no-non-null-asserted-optional-chain',
  'typescript/no-non-null-assertion',
  'typescript/no-redundant-type-constituents',
  'typescript/no-require-imports',
  'typescript/no-this-alias',
  'typescript/no-unnecessary-boolean-literal-compare',
  'typescript/no-unnecessary-condition',
  'typescript/no-unnecessary-template-expression',
  'typescript/no-unnecessary-type-arguments',
  'typescript/no-unnecessary-type-assertion',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unnecessary-type-conversion',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-declaration-merging',
  'typescript/no-unsafe-enum-assignment',
  'typescript/no-unsafe-enum-comparison',
  'typescript/no-unsafe-function-type',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/no-unsafe-unary-minus',
  'typescript/no-useless-default-assignment',
  'typescript/no-wrapper-object-types',
  'typescript/only-throw-error',
  'typescript/prefer-as-const',
  'typescript/prefer-literal-enum-member',
  'typescript/prefer-namespace-keyword',
  'typescript/prefer-promise-reject-errors',
  'typescript/prefer-reduce-type-parameter',
  'typescript/prefer-return-this-type',
  'typescript/related-getter-setter-pairs',
  'typescript/require-await',
  'typescript/triple-slash-reference',
  'typescript/unbound-method',
  'typescript/unified-signatures',
  'typescript/use-unknown-in-catch-callback-variable',
]);

export default {
  ignorePatterns: ['**/dist/', '**/node_modules/', '.cumulet/', '**/.turbo/', '**/.venv/'],
  plugins: ['typescript', 'import'],
  jsPlugins: ['./scripts/lib/lint-plugin.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true, maxWarnings: 0, reportUnusedDisableDirectives: 'error' },
  rules: RECOMMENDED,
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...STRICT,
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        // Nest modules and services are classes by design; a class with only decorators is one.
        'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
        // Numbers and booleans print well in messages; objects do not.
        'typescript/restrict-template-expressions': [
          'error',
          { allowNumber: true, allowBoolean: true },
        ],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/switch-exhaustiveness-check': [
          'error',
          { considerDefaultExhaustiveForUnions: true },
        ],
        // Branded ids are named by the caller: asId<UserId>(text).
        'typescript/no-unnecessary-type-parameters': 'off',
        'cumulet/code-in-its-module': 'error',
        'import/no-cycle': 'error',
        'max-lines': ['error', { max: 400 }],
        'cumulet/no-restricted-syntax': ['error', ...SPREAD_LITERALS, IN_WITH_A_VARIABLE],
        'no-restricted-properties': ['error', SETTINGS_IN_CONFIG],
      },
    },
    { files: decorated, rules: { 'typescript/consistent-type-imports': 'off' } },
    {
      files: ['apps/orchestration/src/**/*.ts'],
      excludeFiles: ['**/*.fixture.ts', '**/json/exact-json.ts'],
      rules: { 'no-restricted-properties': ['error', SETTINGS_IN_CONFIG, ...EXACT_JSON] },
    },
    {
      // The one place of each program where the environment enters.
      files: [
        '**/config.ts',
        '**/main.ts',
        '**/*.spec.ts',
        'packages/testing/**/*.ts',
        'bench/**/*.ts',
        'conformance/**/*.ts',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      // Expected answers and foreign clients are written by hand, beside the modules on purpose.
      files: [
        '**/*.spec.ts',
        '**/*.fixture.ts',
        'packages/testing/**/*.ts',
        'bench/**/*.ts',
        'conformance/**/*.ts',
      ],
      rules: { 'cumulet/code-in-its-module': 'off' },
    },
    {
      files: ['packages/**/*.ts'],
      rules: banned([...services, 'standalone'], 'Packages know no service.'),
    },
    {
      files: ['packages/{common,clients,embedded-postgres,host}/**/*.ts'],
      excludeFiles: ['**/*.spec.ts', '**/*.fixture.ts'],
      rules: banned(
        [...services, 'standalone', 'testing'],
        'What ships knows no service and no tests.',
      ),
    },
    ...services.map(serviceBoundary),
    {
      files: ['**/*.spec.ts', 'packages/testing/**/*.ts'],
      rules: {
        'cumulet/no-restricted-syntax': [
          'error',
          ...SPREAD_LITERALS,
          {
            selector:
              'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo)$/]',
            message: 'A skipped or focused test hides what it should show.',
          },
        ],
        // Assertions on `expect(mock.fn)` and asymmetric matchers are typed loosely by Jest.
        'typescript/unbound-method': 'off',
      },
    },
    {
      files: ['**/*.{js,mjs}'],
      rules: NOT_COMPILED,
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
      },
    },
  ],
};

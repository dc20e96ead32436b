import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { codeInItsModule, noForgedCode } from './scripts/lib/language-rules.mjs';

/** Every app but the one that runs them all together is a service. */
const services = readdirSync(new URL('apps', import.meta.url)).filter(
  (name) => name !== 'standalone',
);

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

/**
 * The modules that write each foreign language, and alone brand text as its code
 * (packages/common/src/languages/code.ts, scripts/lib/language-rules.mjs).
 * @type {import('./scripts/lib/language-rules.mjs').Language[]}
 */
const LANGUAGES = [
  { brands: ['access-log'], modules: ['apps/s3/src/access-logs/log-line.ts'] },
  {
    brands: ['mime'],
    modules: ['apps/orchestration/src/resource-types/heat/mime.ts'],
    template: /^Content-(Type|Disposition|Transfer-Encoding): |^--\$\{\}--$/,
  },
  {
    brands: ['cloud-config'],
    modules: ['apps/clusters/src/languages/cloud-config.ts'],
  },
  { brands: ['yaml'], modules: ['packages/common/src/languages/yaml.ts'] },
  { brands: ['shell', 'shell-word'], modules: ['packages/common/src/languages/shell.ts'] },
  {
    brands: ['ip', 'ip-word'],
    modules: ['apps/network/src/data-plane/ovn/host/ip-commands.ts'],
    template: /^(-[46] )?(addr|link|neigh|route|rule) \w+ /,
  },
  { brands: ['like'], modules: ['packages/common/src/languages/postgres-like.ts'] },
  { brands: ['postgres-regex'], modules: ['packages/common/src/languages/postgres-regex.ts'] },
  {
    brands: ['qemu'],
    modules: ['apps/compute/src/hypervisor/qemu/command-line.ts'],
    template: /^[\w-]+(,[\w.-]+=|=\$\{\},)/,
  },
  {
    brands: ['haproxy-word', 'haproxy-line', 'haproxy-file'],
    modules: ['apps/loadbalancer/src/data-plane/haproxy/configuration/words.ts'],
  },
  {
    brands: ['haproxy-command'],
    modules: ['apps/loadbalancer/src/data-plane/haproxy/runtime/commands.ts'],
    template: /^(@!?\$\{\} |set server )/,
  },
  {
    brands: ['ovn-dhcp'],
    modules: ['apps/network/src/languages/ovn-dhcp.ts'],
  },
  {
    brands: ['ovn-match'],
    modules: ['apps/network/src/languages/ovn-match.ts'],
    template: /(\b(in|out)port|\b(ip[46]?|arp|nd|eth|tcp|udp|sctp|icmp[46]?|\$\{\})\.\w+) *[=!<>]=/,
  },
  {
    brands: ['ovsdb', 'ovsdb-word', 'ovn-address', 'ovn-hosts', 'ovs-setting'],
    modules: ['apps/network/src/languages/ovsdb-text.ts'],
  },
  {
    brands: ['xml', 'html'],
    modules: [
      'apps/s3/src/http/xml.ts',
      'apps/s3/src/website/error-page.ts',
      'apps/compute/src/consoles/console-pages.ts',
    ],
    template: /<\/?(\w+|\$\{\})[^>]*>.*<\/|<\?xml/,
  },
];

const SETTINGS_IN_CONFIG = {
  object: 'process',
  property: 'env',
  message: 'Settings are read in config.ts alone (packages/common/config).',
};

/** Numbers of templates are more than JavaScript's JSON knows: it writes 1.0 as 1, and throws at a bigint. */
const EXACT_JSON = [
  { object: 'JSON', property: 'parse', message: 'Use parseExact (json/exact-json.ts).' },
  {
    object: 'JSON',
    property: 'stringify',
    message: 'Use stringifyExact (json/exact-json.ts).',
  },
];

/** Keys of maps come from clients: what `in` finds may be a member of every object. */
const IN_WITH_A_VARIABLE = {
  selector: 'BinaryExpression[operator="in"]:not([left.type=/^(Literal|PrivateIdentifier)$/])',
  message: 'Use Object.hasOwn: every object has a constructor, and more that `in` would find.',
};

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.cumulet/', '**/.turbo/', '**/.venv/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: {
      'import-x': importX,
      cumulet: {
        rules: { 'no-forged-code': noForgedCode, 'code-in-its-module': codeInItsModule },
      },
    },
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.json' } },
    settings: {
      'import-x/resolver-next': [
        importX.createNodeResolver({
          conditionNames: ['cumulet-source', 'import', 'node', 'default'],
          extensionAlias: { '.js': ['.ts', '.js'] },
        }),
      ],
    },
    rules: {
      // Nest modules and services are classes by design; a class with only decorators is one.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Numbers and booleans print well in messages; objects do not.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Options that a library declares as classes are given as literals by everyone.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Branded ids are named by the caller: asId<UserId>(text).
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      'cumulet/no-forged-code': ['error', LANGUAGES],
      'cumulet/code-in-its-module': ['error', LANGUAGES],
      'import-x/no-cycle': 'error',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-syntax': ['error', ...SPREAD_LITERALS, IN_WITH_A_VARIABLE],
      'no-restricted-properties': ['error', SETTINGS_IN_CONFIG],
    },
  },
  {
    files: ['apps/orchestration/src/**/*.ts'],
    ignores: ['**/*.fixture.ts', '**/json/exact-json.ts'],
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
    files: ['packages/{common,clients,embedded-postgres}/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fixture.ts'],
    rules: banned(
      [...services, 'standalone', 'testing'],
      'What ships knows no service and no tests.',
    ),
  },
  ...services.map(serviceBoundary),
  {
    files: ['**/*.spec.ts', 'packages/testing/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...SPREAD_LITERALS,
        {
          selector:
            'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo)$/]',
          message: 'A skipped or focused test hides what it should show.',
        },
      ],
      // Assertions on `expect(mock.fn)` and asymmetric matchers are typed loosely by Jest.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
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
  },
);
